import Button from '@mui/material/Button'
import { use, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { formatCalendarDay } from '../../components/format/formatTime.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { Loading } from '../../components/Loading.tsx'
import { PageTitle, Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { SectionContext } from '../../engine/define/namedPage.ts'
import { usePageTitle } from '../../engine/define/pageTitle.ts'
import { SectionTabs } from '../../engine/list/SectionTabs.tsx'
import { RetryAlert } from '../../engine/parts/RetryAlert.tsx'
import { readConfigs } from '../../resources/server/agentConfig/configRequests.ts'
import { advisoriesUntil } from './checks/advisories.ts'
import type { Check, SecurityFacts } from './checks/check.ts'
import { checks } from './checks/index.ts'
import { FindingPanel } from './FindingPanel.tsx'
import { useSecurityFacts } from './useSecurityFacts.ts'

/** What an administrator should look at, derived from what is there. */
export default function SecurityPage() {
  const translate = useTranslate()
  const title = translate('app.shell.security')
  usePageTitle(title)
  const section = use(SectionContext)
  const { data, error, refetch } = useSecurityFacts()
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <SectionTabs section={section} current="settings/security" />
      <div style={{ maxWidth: 960 }} aria-busy={!data && !error}>
        {error && !data ? <RetryAlert error={error} onRetry={refetch} /> : null}
        {!data && !error ? <Loading /> : null}
        {data ? <Findings facts={data} /> : null}
      </div>
    </>
  )
}

function Findings({ facts }: { facts: SecurityFacts }) {
  const { locale, translate } = useLanguage()
  const { agents, asked, ask } = useAgentSettings()
  const outcomes = checks.map((check) => ({ check, outcome: check.find({ ...facts, agents }) }))
  const found = outcomes.flatMap(({ check, outcome }) => (typeof outcome === 'object' ? [{ check, outcome }] : []))
  const nothing = outcomes.filter(({ outcome }) => outcome === 'nothing').map(({ check }) => check)
  const unknown = outcomes.filter(({ outcome, check }) => outcome === 'unknown' && (agents || !check.needsAgents))
  const online = facts.servers.filter(isOnline).map(({ id }) => id)
  return (
    <>
      <p role="status">{translate('app.security.found', { smart_count: found.length })}</p>
      {found.map(({ check, outcome }) => (
        <FindingPanel key={check.name} check={check} finding={outcome} />
      ))}
      {agents || online.length === 0 ? null : (
        <Panel title={translate('app.security.agents')} hint={translate('app.security.agents_hint')}>
          <Button variant="outlined" color="inherit" loading={asked !== undefined} onClick={() => void ask(online)}>
            {translate('app.security.ask_agents', { smart_count: online.length })}
          </Button>
          {asked === undefined ? null : (
            <p role="status">{translate('app.security.asked', { asked, total: online.length })}</p>
          )}
        </Panel>
      )}
      <CheckNames title={translate('app.security.nothing')} names={nothing} />
      <CheckNames title={translate('app.security.unknown')} names={unknown.map(({ check }) => check)} />
      <p>
        {translate('app.security.advisories_until', { date: formatCalendarDay(Date.parse(advisoriesUntil), locale) })}
      </p>
    </>
  )
}

/** A server is offline while its last report has the zero time. */
const isOnline = ({ last_active = '' }: { last_active?: string }) => Date.parse(last_active) > 0

function CheckNames({ title, names }: { title: string; names: readonly Check[] }) {
  const translate = useTranslate()
  if (names.length === 0) return null
  return (
    <Panel title={title}>
      <ul style={{ margin: 0, paddingLeft: 20 }}>
        {names.map(({ name }) => (
          <li key={name}>{translate(`app.security.checks.${name}.title`)}</li>
        ))}
      </ul>
    </Panel>
  )
}

/** The settings of the agents, which are asked one by one: an agent may take ten seconds to answer. */
function useAgentSettings() {
  const { call } = useDataProvider<ConsoleDataProvider>()
  const [asked, setAsked] = useState<number>()
  const [agents, setAgents] = useState<SecurityFacts['agents']>()
  return {
    agents,
    /** How many have answered or failed so far, while they are asked. */
    asked,
    ask: async (ids: readonly number[]) => {
      setAsked(0)
      const results = await readConfigs(call, ids, () => setAsked((count = 0) => count + 1))
      setAgents(new Map(results.flatMap((result) => ('config' in result ? [[result.id, result.config]] : []))))
      setAsked(undefined)
    },
  }
}
