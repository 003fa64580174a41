import type { TranslationMessages } from 'ra-core'
import type { Entity, FieldName } from '../src/schemas/define/entity.ts'

/** Same keys all the way down, every leaf a text: what each language owes to English. */
export type SameShape<T> = { readonly [K in keyof T]: T[K] extends string ? string : SameShape<T[K]> }

/** React-admin's message types allow any further key; without that licence a misspelt one does not compile. */
type Declared<T> = {
  [K in keyof T as string extends K ? never : K]: NonNullable<T[K]> extends string
    ? string
    : Declared<NonNullable<T[K]>>
}

/** React-admin's own words, key by key. */
export type RaTexts = SameShape<Declared<TranslationMessages['ra']>>

/** Texts of one action: its button, what to ask before it, and what to say after it. */
export interface ActionTexts {
  label: string
  /** Question of the confirmation; `%{what}` is the record's name or the counted records. */
  confirm?: string
  /** Toast after success, unless the action reports for itself. */
  done?: string
  /** Toast when nothing is selected, where the action says it in its own way. */
  nothing?: string
  /** What is said beside the question where `caution` finds a reason, with its arguments. */
  warning?: string
  /** What a person has to tick then. */
  consent?: string
}

/** All texts of one entity. Labels follow from names: `resources.<entity>.fields.<field>` and so on. */
export interface EntityTexts<E extends Entity> {
  /** 'Server |||| Servers': of one and of many, as a heading. */
  name: string
  /** '%{smart_count} server |||| %{smart_count} servers': within a sentence. */
  counted: string
  /** One sentence on what the entity is for, shown when the list is empty. */
  empty: string
  /** Entry of the navigation, when it differs from the name. */
  menu?: string
  /** Labels of all fields; a column may add a dotted source such as `host.version`. */
  fields: Record<FieldName<E>, string> & { [dotted: `${string}.${string}`]: string }
  /** A sentence below an input. */
  help?: { [F in FieldName<E>]?: string }
  /** Headings of columns that show no field of their own. */
  columns?: Record<string, string>
  /** Texts of coded values, by field and by the name the schema gives the code. */
  choices?: { [F in FieldName<E>]?: Record<string, string> }
  /** Words that only this entity's cells say. */
  values?: Record<string, string>
  /** Headings of form sections. */
  sections?: Record<string, string>
  actions?: Record<string, ActionTexts>
  /** What follows from a deletion, added to its confirmation. */
  deleteNote?: string
  /** Why some of the selected records are not deleted, where `spares` names them. */
  spared?: string
}
