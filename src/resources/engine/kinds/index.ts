import type { Kind } from '../../../schemas/describe.ts'
import { choice } from './choice.tsx'
import { flag } from './flag.tsx'
import { json } from './json.tsx'
import type { FieldKind } from './kind.ts'
import { list } from './list.tsx'
import { moment } from './moment.tsx'
import { number } from './number.tsx'
import { idSet, ref, refs } from './refs.tsx'
import { secret } from './secret.tsx'
import { multiline, text, url } from './text.tsx'

/** How each kind of field looks. A new kind is one file beside this one and one row here. */
export const kinds: Record<Kind, FieldKind> = {
  text,
  multiline,
  url,
  secret,
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
