import { LinkBase, useTranslate } from 'react-admin'
import type { Change } from '../../schemas/endpoints/changeEndpoints.ts'
import { entityNamed } from '../../schemas/index.ts'
import { contractSettings } from '../../schemas/settings/contractSettings.ts'
import { siteSetting } from '../../schemas/settings/siteSetting.ts'
import { useRecordAddress } from '../kinds/reference/recordAddress.ts'
import { ChangeEntry } from './ChangeEntry.tsx'

interface NamedChangeProps {
  change: Change
  /** Called when somebody goes to the record. */
  onFollow?: () => void
}

/** A change of any record, which its name leads to while it is there. */
export function NamedChange({ change, onFollow }: NamedChangeProps) {
  const translate = useTranslate()
  const { entity: entityName, record_id: id, record_name, action } = change
  const entity = entityNamed(entityName) ?? (entityName === contractSettings.name ? contractSettings : siteSetting)
  const address = useRecordAddress(entityName)({ id })
  const name = record_name || `#${id}`
  return (
    <ChangeEntry
      entity={entity}
      change={change}
      name={
        <>
          {translate(`resources.${entityName}.name`, { smart_count: 1, _: entityName })}{' '}
          {address && action !== 'deleted' ? (
            <LinkBase to={address} onClick={onFollow}>
              {name}
            </LinkBase>
          ) : (
            name
          )}
        </>
      }
    />
  )
}
