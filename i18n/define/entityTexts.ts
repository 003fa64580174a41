import type { Entity, FieldName } from '../../src/schemas/define/entity.ts'
import { commonFields } from './commonFields.ts'
import { countedFrom, labelFromName, withPlural } from './english.ts'
import type { Label, Text, Texts } from './text.ts'

/** Texts of one action: its button, what to ask before it, and what to say after it. */
interface ActionTexts {
  label: Label
  /** Question of the confirmation; `%{what}` is the record's name or the counted records. */
  confirm?: Text
  /** Toast after success, unless the action reports for itself. */
  done?: Text
  /** Toast when nothing is selected. Default: the one that all actions share. */
  nothing?: Text
  /** A warning beside the question, with the arguments that `warn` returns. */
  warning?: Text
  /** Label of the checkbox that has to be ticked after a warning. */
  consent?: Text
}

type CommonField = keyof typeof commonFields

type Labels = Readonly<Record<string, Label>>

/** All texts of one entity, as its author writes them. Keys follow: `resources.<entity>.fields.<field>` and so on. */
export interface EntityTexts<E extends Entity> {
  /**
   * One record and many, as a heading: 'Gruppo |||| Gruppi'; Chinese has one form. English may leave out a regular
   * plural.
   */
  name: Text
  /** Within a sentence, behind a number: '%{smart_count} gruppo |||| …'. Only where it does not follow from `name`. */
  counted?: Partial<Text>
  /** One sentence on what the entity is for, shown when the list is empty. */
  empty: Text
  /** Entry of the navigation, when it differs from the name. */
  menu?: Text
  /** Labels of all fields but the common ones; a column may add a dotted source such as `host.version`. */
  fields: Record<Exclude<FieldName<E>, CommonField>, Label> & {
    [F in Extract<FieldName<E>, CommonField>]?: Label
  } & { [dotted: `${string}.${string}`]: Label }
  /** A sentence below an input. */
  help?: { [F in FieldName<E>]?: Text }
  /** Headings of columns that show no field of their own. */
  columns?: Labels
  /** Texts of coded values, by field and by the name the schema gives the code. */
  choices?: { [F in FieldName<E>]?: Labels }
  /** Texts that only this entity's cells and inputs show. */
  values?: Readonly<Record<string, Text>>
  /** Headings of form sections. */
  sections?: Labels
  actions?: Readonly<Record<string, ActionTexts>>
  /** What follows from a deletion, added to its confirmation. */
  deleteNote?: Text
  /** What follows instead on a server that announces a feature, by its key. */
  deleteNotes?: Readonly<Record<string, Text>>
  /** Why some of the selected records are not deleted, where `isProtected` names them. */
  protected?: Text
}

/**
 * All texts of an entity, complete: English labels that are not given follow from the names of fields, choices,
 * columns, sections and actions, the words behind a number from the entity's name.
 *
 * @example
 * export const nat = entityTexts<typeof entity>({ name: { en: 'NAT profile', … }, empty: …, fields: … })
 */
export function entityTexts<E extends Entity>(texts: EntityTexts<E>): Texts {
  const { name, counted, fields, columns, choices, sections, actions, ...rest } = texts
  return {
    ...(rest as Texts),
    name: { ...name, en: withPlural(name.en) },
    counted: { ...countedFrom(name), ...counted },
    fields: labelled({ ...commonFields, ...(fields as Labels) }),
    columns: labelled(columns),
    choices: mapValues(choices as Record<string, Labels> | undefined, labelled),
    sections: labelled(sections),
    actions: mapValues(actions, ({ label, ...action }, key) => ({ ...(action as Texts), label: english(label, key) })),
  }
}

const english = (label: Label, key: string): Text => ({ ...label, en: label.en ?? labelFromName(key) })

const labelled = (labels: Labels | undefined) => mapValues(labels, english)

function mapValues<From, To>(given: Readonly<Record<string, From>> = {}, change: (value: From, key: string) => To) {
  return Object.fromEntries(Object.entries(given).map(([key, value]) => [key, change(value, key)]))
}
