// Countries of ISO 3166-1 (249) and the currency most likely meant by each, in the codes of `iso-4217.ts`.
// One line each: numeric code, two letters, alphabetic currency code (`-`: none; the likeliest first where there are several), name.

export const ISO_3166 = `
004 AF AFN Afghanistan
008 AL ALL Albania
010 AQ - Antarctica
012 DZ DZD Algeria
016 AS USD American Samoa
020 AD EUR Andorra
024 AO AOA Angola
028 AG XCD Antigua and Barbuda
031 AZ AZN Azerbaijan
032 AR ARS Argentina
036 AU AUD Australia
040 AT EUR Austria
044 BS BSD Bahamas
048 BH BHD Bahrain
050 BD BDT Bangladesh
051 AM AMD Armenia
052 BB BBD Barbados
056 BE EUR Belgium
060 BM BMD Bermuda
064 BT BTN/INR Bhutan
068 BO BOB Bolivia
070 BA BAM Bosnia and Herzegovina
072 BW BWP Botswana
074 BV NOK Bouvet Island
076 BR BRL Brazil
084 BZ BZD Belize
086 IO USD British Indian Ocean Territory
090 SB SBD Solomon Islands
092 VG USD Virgin Islands (British)
096 BN BND Brunei Darussalam
100 BG EUR Bulgaria
104 MM MMK Myanmar
108 BI BIF Burundi
112 BY BYN Belarus
116 KH KHR Cambodia
120 CM XAF Cameroon
124 CA CAD Canada
132 CV CVE Cabo Verde
136 KY KYD Cayman Islands
140 CF XAF Central African Republic
144 LK LKR Sri Lanka
148 TD XAF Chad
152 CL CLP Chile
156 CN CNY China
158 TW TWD Taiwan, Province of China
162 CX AUD Christmas Island
166 CC AUD Cocos (Keeling) Islands
170 CO COP Colombia
174 KM KMF Comoros
175 YT EUR Mayotte
178 CG XAF Congo
180 CD CDF Democratic Republic of the Congo
184 CK NZD Cook Islands
188 CR CRC Costa Rica
191 HR EUR Croatia
192 CU CUP Cuba
196 CY EUR Cyprus
203 CZ CZK Czechia
204 BJ XOF Benin
208 DK DKK Denmark
212 DM XCD Dominica
214 DO DOP Dominican Republic
218 EC USD Ecuador
222 SV USD/SVC El Salvador
226 GQ XAF Equatorial Guinea
231 ET ETB Ethiopia
232 ER ERN Eritrea
233 EE EUR Estonia
234 FO DKK Faroe Islands
238 FK FKP Falkland Islands
239 GS GBP South Georgia and the South Sandwich Islands
242 FJ FJD Fiji
246 FI EUR Finland
248 AX EUR Åland Islands
250 FR EUR France
254 GF EUR French Guiana
258 PF XPF French Polynesia
260 TF EUR French Southern and Antarctic Lands
262 DJ DJF Djibouti
266 GA XAF Gabon
268 GE GEL Georgia
270 GM GMD Gambia
275 PS ILS Palestine, State of
276 DE EUR Germany
288 GH GHS Ghana
292 GI GIP Gibraltar
296 KI AUD Kiribati
300 GR EUR Greece
304 GL DKK Greenland
308 GD XCD Grenada
312 GP EUR Guadeloupe
316 GU USD Guam
320 GT GTQ Guatemala
324 GN GNF Guinea
328 GY GYD Guyana
332 HT HTG/USD Haiti
334 HM AUD Heard Island and McDonald Islands
336 VA EUR Holy See
340 HN HNL Honduras
344 HK HKD Hong Kong
348 HU HUF Hungary
352 IS ISK Iceland
356 IN INR India
360 ID IDR Indonesia
364 IR IRR Iran
368 IQ IQD Iraq
372 IE EUR Ireland
376 IL ILS Israel
380 IT EUR Italy
384 CI XOF Côte d'Ivoire
388 JM JMD Jamaica
392 JP JPY Japan
398 KZ KZT Kazakhstan
400 JO JOD Jordan
404 KE KES Kenya
408 KP KPW North Korea
410 KR KRW South Korea
414 KW KWD Kuwait
417 KG KGS Kyrgyzstan
418 LA LAK Lao People's Democratic Republic
422 LB LBP Lebanon
426 LS LSL/ZAR Lesotho
428 LV EUR Latvia
430 LR LRD Liberia
434 LY LYD Libya
438 LI CHF Liechtenstein
440 LT EUR Lithuania
442 LU EUR Luxembourg
446 MO MOP Macao
450 MG MGA Madagascar
454 MW MWK Malawi
458 MY MYR Malaysia
462 MV MVR Maldives
466 ML XOF Mali
470 MT EUR Malta
474 MQ EUR Martinique
478 MR MRU Mauritania
480 MU MUR Mauritius
484 MX MXN Mexico
492 MC EUR Monaco
496 MN MNT Mongolia
498 MD MDL Moldova
499 ME EUR Montenegro
500 MS XCD Montserrat
504 MA MAD Morocco
508 MZ MZN Mozambique
512 OM OMR Oman
516 NA NAD/ZAR Namibia
520 NR AUD Nauru
524 NP NPR Nepal
528 NL EUR Netherlands
531 CW XCG Curaçao
533 AW AWG Aruba
534 SX XCG Sint Maarten (Dutch part)
535 BQ USD Bonaire, Sint Eustatius and Saba
540 NC XPF New Caledonia
548 VU VUV Vanuatu
554 NZ NZD New Zealand
558 NI NIO Nicaragua
562 NE XOF Niger
566 NG NGN Nigeria
570 NU NZD Niue
574 NF AUD Norfolk Island
578 NO NOK Norway
580 MP USD Northern Mariana Islands
581 UM USD United States Minor Outlying Islands
583 FM USD Micronesia
584 MH USD Marshall Islands
585 PW USD Palau
586 PK PKR Pakistan
591 PA PAB/USD Panama
598 PG PGK Papua New Guinea
600 PY PYG Paraguay
604 PE PEN Peru
608 PH PHP Philippines
612 PN NZD Pitcairn
616 PL PLN Poland
620 PT EUR Portugal
624 GW XOF Guinea-Bissau
626 TL USD Timor-Leste
630 PR USD Puerto Rico
634 QA QAR Qatar
638 RE EUR Réunion
642 RO RON Romania
643 RU RUB Russia
646 RW RWF Rwanda
652 BL EUR Saint Barthélemy
654 SH SHP Saint Helena, Ascension and Tristan da Cunha
659 KN XCD Saint Kitts and Nevis
660 AI XCD Anguilla
662 LC XCD Saint Lucia
663 MF EUR Saint Martin (French part)
666 PM EUR Saint Pierre and Miquelon
670 VC XCD Saint Vincent and the Grenadines
674 SM EUR San Marino
678 ST STN Sao Tome and Principe
682 SA SAR Saudi Arabia
686 SN XOF Senegal
688 RS RSD Serbia
690 SC SCR Seychelles
694 SL SLE Sierra Leone
702 SG SGD Singapore
703 SK EUR Slovakia
704 VN VND Vietnam
705 SI EUR Slovenia
706 SO SOS Somalia
710 ZA ZAR South Africa
716 ZW ZWG Zimbabwe
724 ES EUR Spain
728 SS SSP South Sudan
729 SD SDG Sudan
732 EH MAD Western Sahara
740 SR SRD Suriname
744 SJ NOK Svalbard and Jan Mayen
748 SZ SZL Eswatini
752 SE SEK Sweden
756 CH CHF Switzerland
760 SY SYP Syrian Arab Republic
762 TJ TJS Tajikistan
764 TH THB Thailand
768 TG XOF Togo
772 TK NZD Tokelau
776 TO TOP Tonga
780 TT TTD Trinidad and Tobago
784 AE AED United Arab Emirates
788 TN TND Tunisia
792 TR TRY Türkiye
795 TM TMT Turkmenistan
796 TC USD Turks and Caicos Islands
798 TV AUD Tuvalu
800 UG UGX Uganda
804 UA UAH Ukraine
807 MK MKD North Macedonia
818 EG EGP Egypt
826 GB GBP United Kingdom
831 GG GBP Guernsey
832 JE GBP Jersey
833 IM GBP Isle of Man
834 TZ TZS Tanzania
840 US USD United States of America
850 VI USD Virgin Islands (U.S.)
854 BF XOF Burkina Faso
858 UY UYU Uruguay
860 UZ UZS Uzbekistan
862 VE VES Venezuela
876 WF XPF Wallis and Futuna
882 WS WST Samoa
887 YE YER Yemen
894 ZM ZMW Zambia
`;
