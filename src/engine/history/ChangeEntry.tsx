import { styled } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { LinkBase, useTranslate } from 'react-admin'
import type { Entity } from '../../schemas/define/entity.ts'
import type { Change } from '../../schemas/endpoints/changeEndpoints.ts'
import { entityNamed } from '../../schemas/index.ts'
import { contractSettings } from '../../schemas/settings/contractSettings.ts'
import { siteSetting } from '../../schemas/settings/siteSetting.ts'
import { MomentCell } from '../kinds/cells.tsx'
import { useRecordAddress } from '../kinds/reference/recordAddress.ts'
import { DifferenceTable } from './DifferenceTable.tsx'

/** Which values a change of each kind has. */
const sides = {
  created: { to: 'app.changes.after' },
  updated: { from: 'app.changes.before', to: 'app.changes.after' },
  deleted: { from: 'app.changes.before' },
} as const

interface ChangeEntryProps {
  entity: Entity
  change: Change
  /** The record's name; left out where the page is about this record. */
  name?: ReactNode
  /** Buttons for the change. */
  children?: ReactNode
}

/** One change of a record: who, when, from where, and what, field by field. */
export function ChangeEntry({ entity, change, name, children }: ChangeEntryProps) {
  const translate = useTranslate()
  const { at, action, address, fields } = change
  const who = change.username || translate(change.user_id ? 'app.changes.user' : 'app.changes.nobody', change)
  const headings = sides[action as keyof typeof sides] ?? sides.updated
  return (
    <Entry>
      <header>
        <p>
          {name ? <strong>{name} · </strong> : null}
          {translate(`app.changes.actions.${action}`, { who, _: `${who}: ${action}` })}
        </p>
        <small>
          <MomentCell value={at} entity={entity.name} />
          {address ? ` · ${translate('app.changes.address', { address })}` : null}
        </small>
        {children}
      </header>
      {fields.length > 0 ? <DifferenceTable entity={entity} fields={fields} headings={headings} /> : null}
    </Entry>
  )
}

const Entry = styled('li')(({ theme }) => ({
  padding: theme.spacing(1.5, 0),
  '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
  '& > header': { display: 'flex', flexWrap: 'wrap', alignItems: 'baseline', gap: '0 12px' },
  '& > header > p': { margin: 0, overflowWrap: 'anywhere' },
  '& > header a': { color: theme.vars.palette.primary.main },
  '& > header > small': { flex: 1, minWidth: 'max-content', color: theme.vars.palette.text.secondary },
}))

/** Changes, one below the other. */
export const ChangeList = styled('ol')({ listStyle: 'none', margin: 0, padding: 0 })

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
