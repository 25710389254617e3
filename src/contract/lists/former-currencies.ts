// Currencies that are not in ISO 4217 any more, and what took their place: payments of the past have them. Numbers and letters are
// those of its list three as published 2026-01-01; it gives the month of withdrawal, which may be years after the day below.

export interface FormerCurrency {
  readonly numeric: number;
  readonly alpha: string;
  /** Letters of the currency in use. */
  readonly replacedBy: string;
  /** The day on which that one was introduced. */
  readonly on: string;
}

/** Number, letters, letters of the currency in its place, and since when; numbers that are in use again are left out. */
const FORMER: readonly FormerCurrency[] = `
975 BGN EUR 2026-01-01
191 HRK EUR 2023-01-01
440 LTL EUR 2015-01-01
428 LVL EUR 2014-01-01
233 EEK EUR 2011-01-01
703 SKK EUR 2009-01-01
196 CYP EUR 2008-01-01
470 MTL EUR 2008-01-01
705 SIT EUR 2007-01-01
276 DEM EUR 1999-01-01
250 FRF EUR 1999-01-01
380 ITL EUR 1999-01-01
724 ESP EUR 1999-01-01
528 NLG EUR 1999-01-01
040 ATS EUR 1999-01-01
056 BEF EUR 1999-01-01
246 FIM EUR 1999-01-01
372 IEP EUR 1999-01-01
442 LUF EUR 1999-01-01
620 PTE EUR 1999-01-01
300 GRD EUR 2001-01-01
810 RUR RUB 1998-01-01
974 BYR BYN 2016-07-01
694 SLL SLE 2022-07-01
931 CUC CUP 2021-01-01
932 ZWL ZWG 2024-04-05
937 VEF VES 2018-08-20
478 MRO MRU 2018-01-01
678 STD STN 2018-01-01
894 ZMK ZMW 2013-01-01
642 ROL RON 2005-07-01
792 TRL TRY 2005-01-01
`
  .trim()
  .split("\n")
  .map((line) => {
    const [numeric, alpha = "", replacedBy = "", on = ""] = line.split(" ");
    return { numeric: Number(numeric), alpha, replacedBy, on };
  });

/** By its number or its letters. */
export function formerCurrency(word: number | string): FormerCurrency | undefined {
  return FORMER.find(({ numeric, alpha }) => numeric === word || alpha === word);
}
