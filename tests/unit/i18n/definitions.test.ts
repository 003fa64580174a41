import { describe, expect, it } from 'vitest'
import { type Action, opensDialog } from '../../../src/engine/define/action.ts'
import type { Resource } from '../../../src/engine/define/defineResource.ts'
import { describeField, describeFields } from '../../../src/schemas/define/describe.ts'
import { english } from '../../support/console/texts.ts'
import { usedKeys } from '../../support/console/usedTexts.ts'
import { definitions } from '../../support/definitions.ts'

/** Keys of the texts that an action needs which calls the server by itself. */
const callTexts = (root: string, { warn, confirm, report }: Action) => [
  ...(confirm ? [`${root}.confirm`] : []),
  ...(warn ? [`${root}.warning`, `${root}.consent`] : []),
  ...(report ? [] : [`${root}.done`]),
]

/** The label of a field, or of a part of it such as `host.version`. */
const labelKey = (root: string, source: string) => `${root}.fields.${source.replaceAll('.', '_')}`

/** Keys of one entity's texts that its definition calls for by name. */
function askedFor({ entity, columns, filters, form, notes, rowActions, bulkActions }: Resource): string[] {
  const root = `resources.${entity.name}`
  const actions = [...rowActions, ...bulkActions].filter((action) => typeof action !== 'string')
  return [
    ...columns.map(({ source, derived }) => (derived ? `${root}.columns.${source}` : labelKey(root, source))),
    ...filters.flatMap((filter) => {
      if (typeof filter === 'string') return []
      const isField = describeField(entity, filter.source.split('.')[0] ?? '') !== undefined
      return [isField ? labelKey(root, filter.source) : `${root}.columns.${filter.source}`]
    }),
    ...form.filter(({ section }) => section !== '').map(({ section }) => `${root}.sections.${section}`),
    ...notes.map(({ note }) => `${root}.notes.${note}`),
    ...actions.flatMap((action) => (opensDialog(action) ? [] : callTexts(`${root}.actions.${action.action}`, action))),
    ...actions.flatMap(({ action }) => [
      `${root}.actions.${action}.label`,
      // Optional.
      ...(english.has(`${root}.actions.${action}.nothing`) ? [`${root}.actions.${action}.nothing`] : []),
    ]),
  ]
}

describe.each(definitions.map((resource) => [resource.entity.name, resource] as const))(
  'the screen of %s',
  (name, resource) => {
    const asked = askedFor(resource)

    it('has a heading for every column and section, and all texts of every action', () => {
      expect(asked.filter((key) => !english.has(key))).toEqual([])
    })

    it('has no other labels than those of its fields and columns', () => {
      const root = `resources.${name}`
      const labelled = [...describeFields(resource.entity).map((field) => labelKey(root, field.name)), ...asked]
      const labels = [...english.keys()].filter((key) => key.startsWith(`${root}.fields.`))
      expect(labels.filter((key) => !labelled.includes(key))).toEqual([])
    })

    it('uses every text of a column, a value, a section and an action', () => {
      const used = usedKeys()
      const own = [...english.keys()].filter((key) =>
        ['columns', 'values', 'sections', 'actions', 'notes'].some((block) =>
          key.startsWith(`resources.${name}.${block}.`),
        ),
      )
      expect(own.filter((key) => !asked.includes(key) && !used.some(({ pattern }) => pattern.test(key)))).toEqual([])
    })
  },
)
