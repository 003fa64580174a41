import type { RaRecord } from 'react-admin'
import { describeField, type FieldDescription, isConcealed } from '../../schemas/define/describe.ts'
import type { Resource } from '../define/defineResource.ts'
import type { FieldItem } from '../define/section.ts'
import { kindChanges } from '../kinds/changes.ts'

/** What a bulk edit does to one field of every selected record. */
export type FieldChange =
  /** `value` as an input of the field holds it: all of the new value, or the entries to add or remove. */
  | { mode: 'set' | 'add' | 'remove'; value: unknown }
  | { mode: 'prefix' | 'suffix'; text: string }
  /** Every occurrence of `find`, in this very spelling, becomes `text`. An empty `find` finds nothing. */
  | { mode: 'replace'; find: string; text: string }

export type ChangeMode = FieldChange['mode']

/** @param before the stored value @returns the new one; `before` itself where there is nothing to change */
export function applyChange({ kind }: FieldDescription, before: unknown, change: FieldChange): unknown {
  const text = typeof before === 'string' ? before : ''
  switch (change.mode) {
    case 'set':
      return change.value
    case 'add':
    case 'remove':
      return kindChanges[kind].entries?.[change.mode](before, change.value)
    case 'prefix':
      return change.text + text
    case 'suffix':
      return text + change.text
    case 'replace':
      return change.find === '' ? before : text.replaceAll(change.find, () => change.text)
  }
}

/** A field that a bulk edit offers. */
export interface BulkField extends FieldItem {
  field: FieldDescription
  /** What can be done to it; the first is what most people want. */
  modes: readonly ChangeMode[]
}

/**
 * The fields that can be changed in many records at once, by the sections of the form. Left out: fields that servers
 * hide, because nobody could see or restore what is overwritten; fields that are never stored; newer fields that no
 * record has.
 */
export function bulkFields(
  { entity, form }: Pick<Resource, 'entity' | 'form'>,
  records: readonly RaRecord[],
): { section: string; fields: BulkField[] }[] {
  const offered = (item: string | FieldItem): BulkField[] => {
    const options: FieldItem = typeof item === 'string' ? { source: item } : item
    const field = describeField(entity, options.source)
    if (!field || field.transient || isConcealed(field)) return []
    if (field.newer && !records.some((record) => field.name in record)) return []
    return [{ ...options, field, modes: modesOf(field, entity.nameField) }]
  }
  return form
    .map(({ section, items }) => ({ section, fields: items.flatMap(offered) }))
    .filter(({ fields }) => fields.length > 0)
}

/** A name tells records apart, so it is never the same for all. */
function modesOf({ name, kind }: FieldDescription, nameField: string): ChangeMode[] {
  const { isText, entries } = kindChanges[kind]
  return [
    ...(entries ? (['add', 'remove'] as const) : []),
    ...(name === nameField ? [] : (['set'] as const)),
    ...(isText ? (['replace', 'prefix', 'suffix'] as const) : []),
  ]
}
