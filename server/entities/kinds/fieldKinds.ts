import type { Kind } from '../../../src/schemas/define/describe.ts'
import { choice } from './choice.ts'
import type { FieldKind } from './fieldKind.ts'
import { flag } from './flag.ts'
import { idSet } from './idSet.ts'
import { json } from './json.ts'
import { list } from './list.ts'
import { moment } from './moment.ts'
import { number } from './number.ts'
import { ref } from './ref.ts'
import { refs } from './refs.ts'
import { text } from './text.ts'

/** How the server stores, reads and describes each kind of field. A new kind is one file and one line here. */
export const fieldKinds: Record<Kind, FieldKind> = {
  text,
  multiline: text,
  url: text,
  secret: text,
  number,
  flag,
  choice,
  ref,
  refs,
  idSet,
  list,
  json,
  moment,
}
