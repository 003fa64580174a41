import { describe, expect, it } from 'vitest'
import type { Resource } from '../../../src/engine/define/defineResource.ts'
import { shownFields, withoutHidden } from '../../../src/engine/form/newValues.ts'
import { initialValues } from '../../../src/engine/form/validate.ts'
import { describeField, describeFields, emptyValue, isConcealed } from '../../../src/schemas/define/describe.ts'
import type { Values } from '../../../src/schemas/define/values.ts'
import { definitions } from '../../support/definitions.ts'

/** Values that a person may choose, by field: those of choices, and the providers that definitions ask about. */
const choicesOf = ({ entity }: Resource): [string, unknown][] =>
  describeFields(entity).flatMap(({ name, choices = {} }): [string, unknown][] => [
    ...Object.keys(choices).map((code): [string, unknown] => [name, Number(code)]),
    ...(name === 'provider' ? ['dummy', 'webhook'].map((value): [string, unknown] => [name, value]) : []),
  ])

const hiding = definitions.filter(({ form }) => form.some(({ when }) => when))

/** A form in which every field holds something that is neither its default nor empty. */
const filled = (definition: Resource, choices: Values): Values => ({
  ...Object.fromEntries(describeFields(definition.entity).map(({ name }) => [name, `entered ${name}`])),
  ...choices,
})

describe.each(hiding.map((definition) => [definition.entity.name, definition] as const))(
  'What a choice hides on the form of %s',
  (_name, definition) => {
    const { entity } = definition
    const start = Object.fromEntries(choicesOf(definition).map(([name]) => [name, initialValues(entity)[name]]))
    const pairs = choicesOf(definition).flatMap(([name, chosen]) =>
      choicesOf(definition).flatMap(([other, value]) => {
        const before = filled(definition, { ...start, [name]: chosen, [other]: value })
        return choicesOf(definition).map(([field, next]) => [before, { ...before, [field]: next }] as const)
      }),
    )
    const hides = pairs.filter(([before, after]) => {
      const shown = shownFields(definition, after)
      return [...shownFields(definition, before)].some((name) => !shown.has(name))
    })

    it('is found by trying all choices', () => expect(hides.length).toBeGreaterThan(0))

    it('is not saved, in a new record or a stored one; secrets stay, and what was hidden before stays', () => {
      for (const [before, after] of hides) {
        const shown = shownFields(definition, after)
        const stored = withoutHidden(definition, { before, isStored: true }, after)
        const created = withoutHidden(definition, { before: initialValues(entity), isStored: false }, after)
        for (const { items } of definition.form) {
          for (const name of items.map((item) => (typeof item === 'string' ? item : item.source))) {
            const field = describeField(entity, name)
            const isKept = !shownFields(definition, before).has(name) || (field && isConcealed(field))
            if (shown.has(name)) expect([stored[name], created[name]]).toEqual([after[name], after[name]])
            else if (isKept) expect([stored[name], created[name]]).toEqual([before[name], initialValues(entity)[name]])
            else {
              const { [name]: fresh } = initialValues(entity)
              expect([stored[name], created[name]]).toEqual([fresh ?? emptyValue(field?.kind ?? 'text'), fresh])
            }
          }
        }
      }
    })
  },
)
