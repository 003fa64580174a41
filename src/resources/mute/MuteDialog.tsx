import { type RaRecord, useLocation } from 'react-admin'
import type { ActionDialogProps } from '../../engine/define/action.ts'
import { useScreen } from '../../engine/define/screen.ts'
import { useNames } from '../../engine/kinds/reference/useNames.tsx'
import MuteTargetDialog, { type MuteTarget } from './MuteTargetDialog.tsx'

/** What a record is about: a server or, with `?rule=` in the address, one rule on it; a rule; a service; an alarm. */
function targetOf(entity: string, record: RaRecord, search: string): MuteTarget {
  const [id, none] = [Number(record.id), { server_id: 0, rule_id: 0, service_id: 0 }]
  if (entity === 'server')
    return { ...none, server_id: id, rule_id: Number(new URLSearchParams(search).get('rule')) || 0 }
  if (entity === 'service') return { ...none, service_id: id }
  if (entity === 'alert-rule') return { ...none, rule_id: id }
  return { ...none, server_id: Number(record.server_id), rule_id: Number(record.rule_id) }
}

/** Mutes a server, a service, a rule or an alarm for a while, and shows the mutes that it has. */
export default function MuteDialog({ records, onClose }: ActionDialogProps) {
  const [record] = records
  const { entity, texts } = useScreen()
  const { search } = useLocation()
  const target = record && targetOf(entity.name, record, search)
  const ruleName = useNames('alert-rule', target?.rule_id ? [target.rule_id] : [])
  if (!record || !target) return null
  const name =
    entity.name === 'alarm'
      ? `${record.server_name}: ${record.rule_name}`
      : entity.name === 'server' && target.rule_id
        ? `${texts.nameOf(record)}: ${ruleName(target.rule_id)}`
        : texts.nameOf(record)
  return <MuteTargetDialog target={target} name={name} onClose={onClose} />
}
