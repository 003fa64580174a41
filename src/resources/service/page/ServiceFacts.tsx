import { type RaRecord, RecordContextProvider, useTranslate } from 'react-admin'
import { formatDuration, formatNumber } from '../../../components/format/format.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { Copied, Fact, FactList } from '../../../components/overview/FactList.tsx'
import { RecordLink, RelatedList } from '../../../components/overview/RelatedList.tsx'
import { Panel } from '../../../components/Panel.tsx'
import { useNames } from '../../../engine/kinds/reference/useNames.ts'
import { checkKindNames } from '../../../schemas/checks/checks.ts'
import { cron } from '../../../schemas/cron.ts'
import { isReadOnly } from '../../../schemas/define/readOnly.ts'
import { server } from '../../../schemas/server.ts'
import { monitorTypes } from '../../../schemas/service.ts'
import { ServerStatus } from '../../server/ServerStatus.tsx'
import { isChecked } from './coverage.ts'

/** What is checked, how often, and who is notified. */
export function ServiceFacts({ service }: { service: RaRecord }) {
  const translate = useTranslate()
  const { locale } = useLanguage()
  const group = Number(service.notification_group_id) || undefined
  const groupName = useNames('notification-group', group ? [group] : [])
  const label = (field: string) => translate(`resources.service.fields.${field}`)
  const kind = checkKindNames.find((name) => name === service.check?.kind)
  const type = monitorTypes[service.type as keyof typeof monitorTypes]
  const bound = (ms: number) => (service.latency_notify && ms > 0 ? `${formatNumber(ms, locale)} ms` : undefined)
  return (
    <Panel title={translate('app.overview.check')}>
      <FactList>
        <Fact name={label('type')}>
          {kind
            ? translate(`app.checks.kinds.${kind}`)
            : type
              ? translate(`resources.service.choices.type.${type}`)
              : String(service.type)}
        </Fact>
        <Fact name={label('target')}>
          {service.target ? <Copied text={service.target} name={label('target')} /> : null}
        </Fact>
        <Fact name={translate('app.overview.interval')}>
          {formatDuration(Number(service.duration) || 0, translate)}
        </Fact>
        <Fact name={label('notification_group_id')}>
          {/* Who is told is for the owner. */}
          {isReadOnly(service) ? null : group && service.notify ? (
            <RecordLink entity="notification-group" record={{ id: group }}>
              {groupName(group)}
            </RecordLink>
          ) : (
            translate('app.overview.nobody_told')
          )}
        </Fact>
        <Fact name={label('min_latency')}>{bound(service.min_latency)}</Fact>
        <Fact name={label('max_latency')}>{bound(service.max_latency)}</Fact>
      </FactList>
    </Panel>
  )
}

/** The servers that check a service, and the tasks that it triggers. */
export function ServiceRelations({ service }: { service: RaRecord }) {
  const translate = useTranslate()
  const onFailure = (service.enable_trigger_task && service.fail_trigger_tasks) || []
  const onRecovery = (service.enable_trigger_task && service.recover_trigger_tasks) || []
  return (
    <Panel title={translate('app.overview.belongings')}>
      <RelatedList
        entity={server}
        title={translate('app.overview.checked_by')}
        isRelated={({ id }) => isChecked(service, Number(id))}
        detail={(record) => (
          <RecordContextProvider value={record}>
            <ServerStatus />
          </RecordContextProvider>
        )}
      />
      {onFailure.length > 0 ? (
        <RelatedList
          entity={cron}
          title={translate('resources.service.fields.fail_trigger_tasks')}
          isRelated={({ id }) => onFailure.includes(Number(id))}
        />
      ) : null}
      {onRecovery.length > 0 ? (
        <RelatedList
          entity={cron}
          title={translate('resources.service.fields.recover_trigger_tasks')}
          isRelated={({ id }) => onRecovery.includes(Number(id))}
        />
      ) : null}
    </Panel>
  )
}
