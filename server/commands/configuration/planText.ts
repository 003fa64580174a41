import type { FieldChange, Plan, RecordChange } from '../../../src/domain/configuration/plan.ts'
import { escapeUnseen } from '../../log.ts'

/** Characters of a value in a line. */
const maxLength = 200

/** Names in a line. */
const maxNames = 10

const signs = { create: '+', update: '~', delete: '-' } as const

/** A plan as people read it at a terminal, line by line. */
export function planText(plan: Plan): string {
  const { changes, unchanged, unlisted, variables } = plan
  const lines = changes.flatMap((change) => [titleOf(change), ...change.fields.map(fieldText)])
  const count = (verb: RecordChange['verb']) => changes.filter((change) => change.verb === verb).length
  const counts = [`${count('create')} to create`, `${count('update')} to change`, `${count('delete')} to delete`]
  const names = unlisted.slice(0, maxNames).map(({ entity, name }) => `${entity} "${escapeUnseen(name)}"`)
  const more = unlisted.length > maxNames ? ` and ${unlisted.length - maxNames} more` : ''
  return [
    ...lines,
    `${counts.join(', ')}, ${unchanged} unchanged.`,
    ...(variables.length > 0 ? [`Secrets that are sent use the variables: ${variables.join(', ')}.`] : []),
    ...(names.length > 0 ? [`Not in the file, and kept without --prune: ${names.join(', ')}${more}.`] : []),
  ].join('\n')
}

/** `~ service "web"` */
export const titleOf = ({ verb, entity, name }: RecordChange) => `${signs[verb]} ${entity} "${escapeUnseen(name)}"`

function fieldText({ field, before, after }: FieldChange): string {
  const isSecret = after === 'kept' && (before === undefined || before === 'kept')
  if (isSecret) return `    ${field}: (secret)`
  return `    ${field}: ${before === undefined ? '' : `${valueText(before)} -> `}${valueText(after)}`
}

function valueText(value: unknown): string {
  const text = escapeUnseen(JSON.stringify(value) ?? 'null')
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
