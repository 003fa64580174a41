import type { Kind } from '../../schemas/define/describe.ts'
import { fieldsIn, type Values } from '../../schemas/define/values.ts'

/** The changes that a bulk edit can make to values of a kind, beside setting a new one. */
export interface KindChanges {
  /** The value is a text: it can get a prefix or a suffix, and a part of it can be replaced. */
  isText?: true
  /** The value has entries, which can be added and removed one by one; both get and give values as they are stored. */
  entries?: {
    add: (value: unknown, added: unknown) => unknown
    remove: (value: unknown, removed: unknown) => unknown
  }
}

type Entries = NonNullable<KindChanges['entries']>

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A list without repetition. A value that has nothing to change is given back as it is. */
const listEntries: Entries = {
  add: (value, added) => {
    const missing = listOf(added).filter((entry) => !listOf(value).includes(entry))
    return missing.length > 0 ? [...listOf(value), ...missing] : value
  },
  remove: (value, removed) => {
    const gone = new Set(listOf(removed))
    return listOf(value).some((entry) => gone.has(entry)) ? listOf(value).filter((entry) => !gone.has(entry)) : value
  },
}

/** `{ "3": true }` holds 3; an entry with `false` has no meaning and stays as it is. */
const setEntries: Entries = {
  add: (value, added) => ({ ...fieldsIn(value), ...trueOf(fieldsIn(added)) }),
  remove: (value, removed) => {
    const gone = trueOf(fieldsIn(removed))
    const rest = Object.entries(fieldsIn(value)).filter(([id, isOn]) => !isOn || !(id in gone))
    return rest.length < Object.keys(fieldsIn(value)).length ? Object.fromEntries(rest) : value
  },
}

const trueOf = (set: Values) => Object.fromEntries(Object.entries(set).filter(([, isOn]) => isOn))

/** Apart from `values.ts`, because only a bulk edit needs it. */
export const kindChanges: Record<Kind, KindChanges> = {
  text: { isText: true },
  multiline: { isText: true },
  url: { isText: true },
  secret: {},
  number: {},
  flag: {},
  choice: {},
  ref: {},
  refs: { entries: listEntries },
  idSet: { entries: setEntries },
  list: { entries: listEntries },
  json: {},
  moment: {},
}
