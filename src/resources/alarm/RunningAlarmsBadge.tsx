import { LinkBase, useBasename, useTranslate } from 'react-admin'
import { filteredList } from '../../engine/list/state/listQuery.ts'
import { useRunningAlarms } from './useRunningAlarms.ts'
import '../../components/theme/cells.css'

/** The number of running alarms beside an entry of the navigation, leading to them; nothing while there are none. */
export function RunningAlarmsBadge() {
  const count = useRunningAlarms()
  const basename = useBasename()
  const translate = useTranslate()
  if (!count) return null
  const text = translate('app.alarm.running_count', { smart_count: count })
  return (
    <LinkBase
      className="alarm-badge"
      to={`${basename}/alarm${filteredList({ state: 'running' })}`}
      aria-label={text}
      title={text}
    >
      {count > 99 ? '99+' : count}
    </LinkBase>
  )
}
