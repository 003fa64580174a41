import type { validation as english } from '../en-US/validation.ts'
import type { SameShape } from '../types.ts'

/** What is wrong with a value, said below its input. */
export const validation = {
  required: 'Pflichtfeld',
  min_length: 'Mindestens %{min} Zeichen',
  max_length: 'Höchstens %{max} Zeichen',
  min_value: 'Mindestens %{min}',
  max_value: 'Höchstens %{max}',
  integer: 'Muss eine ganze Zahl sein',
  number: 'Muss eine Zahl sein',
  url: 'Muss eine Webadresse sein, die mit http:// oder https:// beginnt',
  json: 'Ungültiger JSON-Text',
  text_pairs: 'Muss ein JSON-Objekt aus Texten sein, zum Beispiel {"X-Token": "abc"}',
  choice: 'Bitte einen der angebotenen Werte wählen',
  invalid: 'Dieser Wert ist ungültig',
} satisfies SameShape<typeof english>
