declare module "csv-spectrum" {
  /** Gives every table of the corpus with the rows that it means. */
  export default function spectrum(
    callback: (error: Error | null, data: { name: string; csv: Buffer; json: Buffer }[]) => void,
  ): void;
}
