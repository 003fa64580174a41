import type { validation as english } from '../en-US/validation.ts'
import type { SameShape } from '../types.ts'

/** What is wrong with a value, said below its input. */
export const validation = {
  required: 'Campo obbligatorio',
  min_length: 'Almeno %{min} caratteri',
  max_length: 'Al massimo %{max} caratteri',
  min_value: 'Il valore minimo è %{min}',
  max_value: 'Il valore massimo è %{max}',
  integer: 'Deve essere un numero intero',
  number: 'Deve essere un numero',
  url: 'Deve essere un indirizzo web che inizia con http:// o https://',
  json: 'Testo JSON non valido',
  text_pairs: 'Deve essere un oggetto JSON di testi, ad esempio {"X-Token": "abc"}',
  choice: "Scegli uno dei valori dell'elenco",
  invalid: 'Questo valore non è valido',
} satisfies SameShape<typeof english>
