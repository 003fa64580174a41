import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { LinkBase, useRecordContext, useTranslate } from 'react-admin'
import type { Translate } from '../../components/format/format.ts'
import { column } from '../../engine/define/defineResource.ts'
import { useRecordAddress } from '../../engine/kinds/reference/recordAddress.ts'
import type { Row } from '../../records/queryRows.ts'
import type { audit } from '../../schemas/audit.ts'
import { entities } from '../../schemas/index.ts'

type Entry = Row<typeof audit>

const useEntry = () => useRecordContext<Entry>()

/** The user, by the name at that time: the account may have been deleted since. */
function AuditUser() {
  const record = useEntry()
  return <>{record ? userText(record) : null}</>
}

const userText = ({ user_id, username }: Entry): string => (user_id === undefined ? '' : `${username} #${user_id}`)

/** The client's address. */
const AuditAddress = () => <code>{useEntry()?.address}</code>

/** Details, as `bytes: 1048576, outcome: cancelled`. */
function AuditDetail() {
  const record = useEntry()
  return <>{record ? detailText(record) : null}</>
}

const detailText = ({ detail = {} }: Entry): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ')

/** What was done, in words, and below it the name of the log file; an unreadable line is shown as it is. */
function AuditAction() {
  const record = useEntry()
  const translate = useTranslate()
  if (!record) return null
  const text = actionText(record, translate)
  if (record.unreadable !== undefined || text === record.action) return <span>{text}</span>
  return (
    <span>
      {text}
      <Code>{record.action}</Code>
    </span>
  )
}

/** `Task: started`; the name of an action that this console has no words for. */
export function actionText({ action = '', unreadable }: Entry, translate: Translate): string {
  if (unreadable !== undefined) return translate('resources.audit.values.unreadable', { text: unreadable })
  const [area = '', verb = ''] = action.split('.')
  const subject = subjectText(area, translate)
  // Some verbs mean something else in one area: servers are moved to a user, files to a folder.
  const what = translate(`app.audit_verbs.${area}-${verb}`, { _: translate(`app.audit_verbs.${verb}`, { _: '' }) })
  return subject && what ? translate('app.audit_said', { subject, what }) : action
}

const subjectText = (area: string, translate: Translate): string =>
  area in entities
    ? translate(`resources.${area}.name`, { smart_count: 1 })
    : translate(`app.audit_areas.${area}`, { _: '' })

/** What it was done to, by the name of that time; a link where it is one record that was not deleted by this. */
function AuditTarget() {
  const record = useEntry()
  const translate = useTranslate()
  const { entity, ids } = readTarget(record?.target)
  const addressOf = useRecordAddress(entity)
  if (!record) return null
  const text = targetText(record, translate)
  const [id] = ids
  const isThere = id !== undefined && ids.length === 1 && !record.action?.endsWith('.delete')
  const address = isThere ? addressOf({ id }) : undefined
  if (!address) return <span>{text}</span>
  return (
    <Link component={LinkBase} underline="always" to={address}>
      {text}
    </Link>
  )
}

/** `Task “Back up”`, `Server 7, 8 (web-1, web-2)`; lines from before names were recorded have the number. */
export function targetText({ target = '', detail }: Entry, translate: Translate): string {
  const { entity, ids } = readTarget(target)
  if (entity === '') return target
  const kind = translate(`resources.${entity}.name`, { smart_count: 1 })
  const name = detail?.name
  if (ids.length === 1) {
    return `${kind} ${name ? translate('app.confirm.quoted', { name: String(name) }) : `#${ids[0]}`}`
  }
  return `${kind} ${target.slice(entity.length + 1)}${name ? ` (${name})` : ''}`
}

/** The entity and ids of a target such as `cron 4, 5`; '' for anything else. */
function readTarget(target = ''): { entity: string; ids: string[] } {
  const [, entity = '', ids = ''] = /^([a-z-]+) (\d+(?:, \d+)*)(?: and \d+ more)?$/.exec(target) ?? []
  return entity in entities ? { entity, ids: ids.split(', ') } : { entity: '', ids: [] }
}

const Code = styled('code')(({ theme }) => ({
  display: 'block',
  fontSize: 12,
  color: theme.vars.palette.text.secondary,
}))

export const columns = [
  column('at'),
  column('username', { Cell: AuditUser, file: userText }),
  column('action', { Cell: AuditAction, file: (row: Entry, { language }) => actionText(row, language.translate) }),
  column('target', { Cell: AuditTarget, file: (row: Entry, { language }) => targetText(row, language.translate) }),
  column('address', { Cell: AuditAddress }),
  column('detail', { Cell: AuditDetail, file: detailText }),
]
