import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { LinkBase, useRecordContext, useTranslate } from 'react-admin'
import type { Translate } from '../../components/format/format.ts'
import { useRecordAddress } from '../../engine/kinds/reference/recordAddress.ts'
import { entities } from '../../schemas/index.ts'

type Values = Readonly<Record<string, unknown>>

/** What was done, in words, and below it the name of the log file; an unreadable line is shown as it is. */
export function AuditAction() {
  const record: Values = useRecordContext() ?? {}
  const translate = useTranslate()
  const text = auditActionText(record, translate)
  if (record.unreadable !== undefined || text === record.action) return <span>{text}</span>
  return (
    <span>
      {text}
      <Code>{String(record.action)}</Code>
    </span>
  )
}

/** `Task: started`; the name of an action that this console has no words for. */
export function auditActionText({ action, unreadable }: Values, translate: Translate): string {
  if (unreadable !== undefined) return translate('resources.audit.values.unreadable', { text: String(unreadable) })
  const [area = '', verb = ''] = String(action ?? '').split('.')
  const subject = subjectText(area, translate)
  const what = translate(`app.audit_verbs.${verb}`, { _: '' })
  return subject && what ? translate('app.audit_said', { subject, what }) : String(action ?? '')
}

const subjectText = (area: string, translate: Translate): string =>
  area in entities
    ? translate(`resources.${area}.name`, { smart_count: 1 })
    : translate(`app.audit_areas.${area}`, { _: '' })

/** What it was done to, by the name of that time; a link where it is one record that was not deleted by this. */
export function AuditTarget() {
  const record: Values = useRecordContext() ?? {}
  const translate = useTranslate()
  const { entity, ids } = readTarget(record)
  const addressOf = useRecordAddress(entity)
  const text = auditTargetText(record, translate)
  const [id] = ids
  const isThere = id !== undefined && ids.length === 1 && !String(record.action).endsWith('.delete')
  const address = isThere ? addressOf({ id }) : undefined
  if (!address) return <span>{text}</span>
  return (
    <Link component={LinkBase} underline="always" to={address}>
      {text}
    </Link>
  )
}

/** `Task “Back up”`, `Server 7, 8 (web-1, web-2)`; lines from before names were recorded have the number. */
export function auditTargetText(record: Values, translate: Translate): string {
  const { entity, ids } = readTarget(record)
  const target = String(record.target ?? '')
  if (entity === '') return target
  const kind = translate(`resources.${entity}.name`, { smart_count: 1 })
  const name = (record.detail as Values | undefined)?.name
  if (ids.length === 1) {
    return `${kind} ${name ? translate('app.confirm.quoted', { name }) : `#${ids[0]}`}`
  }
  return `${kind} ${target.slice(entity.length + 1)}${name ? ` (${name})` : ''}`
}

/** The entity and ids of a target such as `cron 4, 5`; '' for anything else. */
function readTarget({ target }: Values): { entity: string; ids: string[] } {
  const [, entity = '', ids = ''] = /^([a-z-]+) (\d+(?:, \d+)*)(?: and \d+ more)?$/.exec(String(target ?? '')) ?? []
  return entity in entities ? { entity, ids: ids.split(', ') } : { entity: '', ids: [] }
}

const Code = styled('code')(({ theme }) => ({
  display: 'block',
  fontSize: 12,
  color: theme.vars.palette.text.secondary,
}))
