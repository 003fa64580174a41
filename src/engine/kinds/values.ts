import type { Kind } from '../../schemas/define/describe.ts'
import { choiceValues } from './choice/values.ts'
import { flagValues } from './flag/values.ts'
import { idSetValues } from './idSet/values.ts'
import { momentValues } from './moment/values.ts'
import { numberValues } from './number/values.ts'
import type { KindValues } from './parts/kind.ts'
import { refValues } from './ref/values.ts'
import { refsValues } from './refs/values.ts'
import { textValues, unsearchedValues } from './text/values.ts'
import { urlValues } from './url/values.ts'

/**
 * How values of each kind are sorted, filtered, searched, exported and read from a form. Apart from `cells.ts`, because
 * the data provider needs it and draws nothing.
 */
export const kindValues: Record<Kind, KindValues> = {
  text: textValues,
  multiline: textValues,
  url: urlValues,
  secret: unsearchedValues,
  number: numberValues,
  flag: flagValues,
  choice: choiceValues,
  ref: refValues,
  refs: refsValues,
  idSet: idSetValues,
  list: textValues,
  json: unsearchedValues,
  moment: momentValues,
}
