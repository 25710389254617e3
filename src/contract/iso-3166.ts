// Countries of ISO 3166-1 (249) and the currency most likely meant by each, in the codes of `iso-4217.ts`.
// One line each: numeric code, alphabetic currency code (`-`: none), name.

export const ISO_3166 = `
004 AFN Afghanistan
008 ALL Albania
010 - Antarctica
012 DZD Algeria
016 USD American Samoa
020 EUR Andorra
024 AOA Angola
028 XCD Antigua and Barbuda
031 AZN Azerbaijan
032 ARS Argentina
036 AUD Australia
040 EUR Austria
044 BSD Bahamas
048 BHD Bahrain
050 BDT Bangladesh
051 AMD Armenia
052 BBD Barbados
056 EUR Belgium
060 BMD Bermuda
064 BTN Bhutan
068 BOB Bolivia
070 BAM Bosnia and Herzegovina
072 BWP Botswana
074 NOK Bouvet Island
076 BRL Brazil
084 BZD Belize
086 USD British Indian Ocean Territory
090 SBD Solomon Islands
092 USD Virgin Islands (British)
096 BND Brunei Darussalam
100 EUR Bulgaria
104 MMK Myanmar
108 BIF Burundi
112 BYN Belarus
116 KHR Cambodia
120 XAF Cameroon
124 CAD Canada
132 CVE Cabo Verde
136 KYD Cayman Islands
140 XAF Central African Republic
144 LKR Sri Lanka
148 XAF Chad
152 CLP Chile
156 CNY China
158 TWD Taiwan, Province of China
162 AUD Christmas Island
166 AUD Cocos (Keeling) Islands
170 COP Colombia
174 KMF Comoros
175 EUR Mayotte
178 XAF Congo
180 CDF Democratic Republic of the Congo
184 NZD Cook Islands
188 CRC Costa Rica
191 EUR Croatia
192 CUP Cuba
196 EUR Cyprus
203 CZK Czechia
204 XOF Benin
208 DKK Denmark
212 XCD Dominica
214 DOP Dominican Republic
218 USD Ecuador
222 USD El Salvador
226 XAF Equatorial Guinea
231 ETB Ethiopia
232 ERN Eritrea
233 EUR Estonia
234 DKK Faroe Islands
238 FKP Falkland Islands
239 GBP South Georgia and the South Sandwich Islands
242 FJD Fiji
246 EUR Finland
248 EUR Åland Islands
250 EUR France
254 EUR French Guiana
258 XPF French Polynesia
260 EUR French Southern and Antarctic Lands
262 DJF Djibouti
266 XAF Gabon
268 GEL Georgia
270 GMD Gambia
275 ILS Palestine, State of
276 EUR Germany
288 GHS Ghana
292 GIP Gibraltar
296 AUD Kiribati
300 EUR Greece
304 DKK Greenland
308 XCD Grenada
312 EUR Guadeloupe
316 USD Guam
320 GTQ Guatemala
324 GNF Guinea
328 GYD Guyana
332 HTG Haiti
334 AUD Heard Island and McDonald Islands
336 EUR Holy See
340 HNL Honduras
344 HKD Hong Kong
348 HUF Hungary
352 ISK Iceland
356 INR India
360 IDR Indonesia
364 IRR Iran
368 IQD Iraq
372 EUR Ireland
376 ILS Israel
380 EUR Italy
384 XOF Côte d'Ivoire
388 JMD Jamaica
392 JPY Japan
398 KZT Kazakhstan
400 JOD Jordan
404 KES Kenya
408 KPW North Korea
410 KRW South Korea
414 KWD Kuwait
417 KGS Kyrgyzstan
418 LAK Lao People's Democratic Republic
422 LBP Lebanon
426 LSL Lesotho
428 EUR Latvia
430 LRD Liberia
434 LYD Libya
438 CHF Liechtenstein
440 EUR Lithuania
442 EUR Luxembourg
446 MOP Macao
450 MGA Madagascar
454 MWK Malawi
458 MYR Malaysia
462 MVR Maldives
466 XOF Mali
470 EUR Malta
474 EUR Martinique
478 MRU Mauritania
480 MUR Mauritius
484 MXN Mexico
492 EUR Monaco
496 MNT Mongolia
498 MDL Moldova
499 EUR Montenegro
500 XCD Montserrat
504 MAD Morocco
508 MZN Mozambique
512 OMR Oman
516 NAD Namibia
520 AUD Nauru
524 NPR Nepal
528 EUR Netherlands
531 ANG Curaçao
533 AWG Aruba
534 ANG Sint Maarten (Dutch part)
535 USD Bonaire, Sint Eustatius and Saba
540 XPF New Caledonia
548 VUV Vanuatu
554 NZD New Zealand
558 NIO Nicaragua
562 XOF Niger
566 NGN Nigeria
570 NZD Niue
574 AUD Norfolk Island
578 NOK Norway
580 USD Northern Mariana Islands
581 USD United States Minor Outlying Islands
583 USD Micronesia
584 USD Marshall Islands
585 USD Palau
586 PKR Pakistan
591 PAB Panama
598 PGK Papua New Guinea
600 PYG Paraguay
604 PEN Peru
608 PHP Philippines
612 NZD Pitcairn
616 PLN Poland
620 EUR Portugal
624 XOF Guinea-Bissau
626 USD Timor-Leste
630 USD Puerto Rico
634 QAR Qatar
638 EUR Réunion
642 RON Romania
643 RUB Russia
646 RWF Rwanda
652 EUR Saint Barthélemy
654 SHP Saint Helena, Ascension and Tristan da Cunha
659 XCD Saint Kitts and Nevis
660 XCD Anguilla
662 XCD Saint Lucia
663 EUR Saint Martin (French part)
666 EUR Saint Pierre and Miquelon
670 XCD Saint Vincent and the Grenadines
674 EUR San Marino
678 STN Sao Tome and Principe
682 SAR Saudi Arabia
686 XOF Senegal
688 RSD Serbia
690 SCR Seychelles
694 SLE Sierra Leone
702 SGD Singapore
703 EUR Slovakia
704 VND Vietnam
705 EUR Slovenia
706 SOS Somalia
710 ZAR South Africa
716 ZWG Zimbabwe
724 EUR Spain
728 SSP South Sudan
729 SDG Sudan
732 MAD Western Sahara
740 SRD Suriname
744 NOK Svalbard and Jan Mayen
748 SZL Eswatini
752 SEK Sweden
756 CHF Switzerland
760 SYP Syrian Arab Republic
762 TJS Tajikistan
764 THB Thailand
768 XOF Togo
772 NZD Tokelau
776 TOP Tonga
780 TTD Trinidad and Tobago
784 AED United Arab Emirates
788 TND Tunisia
792 TRY Türkiye
795 TMT Turkmenistan
796 USD Turks and Caicos Islands
798 AUD Tuvalu
800 UGX Uganda
804 UAH Ukraine
807 MKD North Macedonia
818 EGP Egypt
826 GBP United Kingdom
831 GBP Guernsey
832 GBP Jersey
833 GBP Isle of Man
834 TZS Tanzania
840 USD United States of America
850 USD Virgin Islands (U.S.)
854 XOF Burkina Faso
858 UYU Uruguay
860 UZS Uzbekistan
862 VES Venezuela
876 XPF Wallis and Futuna
882 WST Samoa
887 YER Yemen
894 ZMW Zambia
`;
