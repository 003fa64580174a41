import { describeFields, type FieldDescription, isConcealed } from '../../src/schemas/define/describe.ts'
import type { Entity } from '../../src/schemas/define/entity.ts'
import { withoutSecrets } from '../../src/schemas/define/innerSecrets.ts'
import { sameValue } from '../../src/schemas/define/values.ts'
import type { ChangedField } from '../../src/schemas/endpoints/changeEndpoints.ts'
import { makerOf } from '../person.ts'
import { isEmpty } from '../wire/withoutEmpty.ts'

/** Characters of a value as JSON that is recorded whole, and of all values of a change together. */
export const valueLimits = { value: 65_536, change: 262_144, beginning: 256 } as const

/** A field whose changes are recorded. */
export interface RecordedField {
  name: string
  /** Whether its values are never recorded. */
  isSecret: boolean
  /** The ways to secrets within its value. */
  secrets?: FieldDescription['secrets']
}

/** The owner of a record is a column of its table, and no field of its entity. */
const owner: RecordedField = { name: 'user_id', isSecret: false }

const recorded = new WeakMap<Entity, readonly RecordedField[]>()

/**
 * The fields of an entity whose changes are recorded: those that people edit, what else the schema marks with
 * `recorded`, secrets, and the owner. None where people change nothing, as in logs.
 */
export function recordedFields(entity: Entity): readonly RecordedField[] {
  let fields = recorded.get(entity)
  if (!fields) {
    const isEdited = entity.api.paging === 'whole' && entity.api.verbs.length > 0
    fields = isEdited ? [...describeFields(entity).filter(isRecorded).map(toRecorded), owner] : []
    recorded.set(entity, fields)
  }
  return fields
}

const isRecorded = (field: FieldDescription) =>
  !field.transient && (field.editable || field.recorded === true || isConcealed(field))

const toRecorded = (field: FieldDescription): RecordedField => ({
  name: field.name,
  isSecret: isConcealed(field),
  secrets: field.secrets,
})

/**
 * What differs between two states of a record. A missing state is that of a record that does not exist: its empty
 * values are left out. Secrets are named, and never shown. Of a value that is too long there is the beginning.
 */
export function changedFields(
  fields: readonly RecordedField[],
  before: object | undefined,
  after: object | undefined,
): ChangedField[] {
  let left: number = valueLimits.change
  return fields.flatMap(({ name, isSecret, secrets = [] }): ChangedField[] => {
    const [stored, saved] = [valueAt(before, name), valueAt(after, name)]
    const [from, to] = [withoutSecrets(stored, secrets), withoutSecrets(saved, secrets)]
    if (sameValue(from, to) && !sameValue(stored, saved)) return [{ name, secret: true }]
    // A setting that was never made is the same as one that is off.
    if (sameValue(from, to) || (isEmpty(from) && isEmpty(to))) return []
    if (isSecret) return [{ name, secret: true }]
    const values = { ...(before && { from: from ?? null }), ...(after && { to: to ?? null }) }
    const lengths = Object.values(values).map(jsonLength)
    const length = lengths.reduce((sum, one) => sum + one, 0)
    if (lengths.every((one) => one <= valueLimits.value) && length <= left) {
      left -= length
      return [{ name, ...values }]
    }
    const cut = Object.entries(values).map(([key, value]) => [key, beginningOf(value)])
    return [{ name, ...Object.fromEntries(cut), cut: true }]
  })
}

/** Of the owner, the person: to which team a record belongs is a field. */
function valueAt(state: object | undefined, name: string): unknown {
  const value: unknown = state && Reflect.get(state, name)
  if (name !== owner.name || !state || typeof value !== 'number') return value
  return makerOf({ user_id: value, made_by: Number(Reflect.get(state, 'made_by') ?? 0) })
}

/** Characters as JSON; of a text that is too long anyway, its own. */
const jsonLength = (value: unknown): number =>
  typeof value === 'string' && value.length > valueLimits.value ? value.length : JSON.stringify(value).length

/** A value that is short, or of a longer one the first characters of its text. */
export function beginningOf<Value>(value: Value): Value | string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length <= valueLimits.beginning ? value : text.slice(0, valueLimits.beginning).toWellFormed()
}
