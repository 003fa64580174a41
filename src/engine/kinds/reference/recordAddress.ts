import { type ComponentType, createContext, use } from 'react'
import { type Identifier, type RaRecord, useBasename } from 'react-admin'
import { allows, isReadOnly } from '../../../schemas/define/access.ts'
import { entityNamed } from '../../../schemas/index.ts'
import { useIdentity } from '../../parts/identity.tsx'

/** Where the records of an entity are shown. */
export interface RecordPaths {
  /** The path of a record, below the console's own. */
  pathOf: (id: Identifier) => string
  /** Whether the path is that of an overview, for all who see the record, and not of its form. */
  hasOverview: boolean
  /** The form of a new one over another form, where pickers offer that. */
  NewDialog?: ComponentType<NewDialogProps>
}

export interface NewDialogProps {
  onCreated: (created: RaRecord) => void
  onClose: () => void
}

/** By the name of the entity. */
export const RecordPathsContext = createContext<ReadonlyMap<string, RecordPaths>>(new Map())

/**
 * Gives the address of a record of an entity, or `undefined` where this person may not open it.
 *
 * @param dialog a dialog of the record with an address of its own, for all who see the record, in place of its form
 */
export function useRecordAddress(
  entityName: string,
  dialog?: string,
): (record: { id: Identifier }) => string | undefined {
  const paths = use(RecordPathsContext).get(entityName)
  const basename = useBasename()
  const { identity } = useIdentity()
  const entity = entityNamed(entityName)
  const mayChange =
    entity?.api.verbs.includes('update') && allows(identity?.role as number | undefined, entity.access.update)
  if (dialog !== undefined) return ({ id }) => paths && `${basename}/${paths.pathOf(id)}/${dialog}`
  return (record) =>
    paths && (paths.hasOverview || (mayChange && !isReadOnly(record)))
      ? `${basename}/${paths.pathOf(record.id)}`
      : undefined
}
