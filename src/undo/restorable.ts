import { describeFields, type FieldDescription, isConcealed } from '../schemas/define/describe.ts'
import type { Entity } from '../schemas/define/entity.ts'

/** Whether a deletion can be taken back: its records can be created, or come back by themselves. */
export const isRestorable = ({ api }: Entity): boolean =>
  api.paging === 'whole' && (api.verbs.includes('create') || api.reappearsBy !== undefined)

/** Fields that hold a secret, or one that servers hide. */
export const secretFields = (entity: Entity): FieldDescription[] =>
  describeFields(entity).filter((field) => field.editable && isConcealed(field))

/** Fields of which earlier values can be laid back. */
export const restorableFields = (entity: Entity): FieldDescription[] =>
  describeFields(entity).filter((field) => field.editable && !field.transient && !isConcealed(field))
