import Button from '@mui/material/Button'
import Chip from '@mui/material/Chip'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { use, useState } from 'react'
import { LinkBase, useBasename, useDataProvider, useTranslate } from 'react-admin'
import { formatCalendarDay, formatDateTime, formatNumber } from '../../components/format/format.ts'
import { useLanguage } from '../../components/format/useLanguage.ts'
import { Loading, PageTitle, Panel } from '../../components/Panel.tsx'
import { settingQuery } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { SectionContext, usePageTitle } from '../../engine/define/page.tsx'
import { SectionTabs } from '../../engine/list/SectionTabs.tsx'
import { RetryAlert } from '../../engine/parts/ActionDialog.tsx'
import { readConfigs } from '../../resources/server/agentConfig/configRequests.ts'
import { securityEndpoints } from '../../schemas/endpoints/securityEndpoints.ts'
import { advisoriesUntil } from './checks/advisories.ts'
import type { Check, Finding, SecurityFacts, Subject } from './checks/check.ts'
import { checks } from './checks/index.ts'

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

/** More records than any list has. */
const allRecords = 1_000_000
/** Rows that are read of the list of blocked addresses, which the server pages. */
const maxBlocks = 1_000

/** What the checks need, from the lists and settings that administrators may read; fetched anew at every visit. */
function useSecurityFacts() {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const queryClient = useQueryClient()
  return useQuery({
    queryKey: ['security facts'],
    gcTime: 0,
    queryFn: async (): Promise<SecurityFacts> => {
      const rowsOf = async (resource: string, perPage = allRecords) => {
        const pagination = { page: 1, perPage }
        const sort = { field: 'id', order: 'ASC' } as const
        return (await dataProvider.getList(resource, { pagination, sort, filter: {} })).data
      }
      const setting = await queryClient.ensureQueryData(settingQuery(dataProvider))
      const [users, servers, tasks, notifiers, blocks, server] = await Promise.all([
        rowsOf('user'),
        rowsOf('server'),
        rowsOf('cron'),
        rowsOf('notification'),
        rowsOf('waf', maxBlocks),
        setting.wheelhouse?.security_facts ? dataProvider.call(securityEndpoints.securityFacts) : undefined,
      ])
      const page = { protocol: window.location.protocol, hostname: window.location.hostname }
      return { now: Date.now(), page, setting, users, servers, tasks, notifiers, blocks, server }
    },
  })
}

/** Subjects that are listed at first; the others are shown on demand. */
const shownAtFirst = 10

/** What a check has found, what to do about it, and the way there. */
function FindingPanel({ check, finding }: { check: Check; finding: Finding }) {
  const { translate } = useLanguage()
  const [isWhole, setWhole] = useState(false)
  const { name, severity } = check
  const { subjects, noteKey } = finding
  const shown = isWhole ? subjects : subjects.slice(0, shownAtFirst)
  return (
    <Panel
      title={translate(`app.security.checks.${name}.title`)}
      hint={translate(`app.security.checks.${name}.remedy`)}
      action={<Chip size="small" color={severity} label={translate(`app.security.severities.${severity}`)} />}
    >
      <List>
        {shown.map((subject) => (
          <SubjectItem key={subject.label} subject={subject} />
        ))}
      </List>
      {shown.length < subjects.length ? (
        <Button color="inherit" size="small" onClick={() => setWhole(true)}>
          {translate('app.security.show_all', { smart_count: subjects.length })}
        </Button>
      ) : null}
      {noteKey ? <p>{translate(noteKey)}</p> : null}
      <RemedyLink check={check} />
    </Panel>
  )
}

function SubjectItem({ subject: { label, to, reasonKey, at, username, count } }: { subject: Subject }) {
  const { translate, locale } = useLanguage()
  const basename = useBasename()
  const details = [
    reasonKey && translate(reasonKey),
    at && formatDateTime(at, locale),
    username,
    count && `× ${formatNumber(count, locale)}`,
  ].filter(Boolean)
  return (
    <li>
      {to === undefined ? (
        label
      ) : (
        // Underlined, because in dark its colour is too near to that of the text behind it.
        <Link component={LinkBase} underline="always" to={`${basename}/${to}`}>
          {label}
        </Link>
      )}
      {details.length > 0 ? <small> · {details.join(' · ')}</small> : null}
    </li>
  )
}

/** Addresses of other sites open in a tab of their own. */
function RemedyLink({ check: { link } }: { check: Check }) {
  const { translate } = useLanguage()
  const basename = useBasename()
  const label = translate('app.security.open', { screen: translate(link.labelKey, { smart_count: 2 }) })
  return link.to.startsWith('https:') ? (
    <Button variant="outlined" color="inherit" href={link.to} target="_blank" rel="noopener">
      {label}
    </Button>
  ) : (
    <Button variant="outlined" color="inherit" component={LinkBase} to={link.to ? `${basename}/${link.to}` : basename}>
      {label}
    </Button>
  )
}

const List = styled('ul')(({ theme }) => ({
  margin: theme.spacing(0, 0, 1.5),
  paddingLeft: 20,
  '&:empty': { display: 'none' },
  '& small': { color: theme.vars.palette.text.secondary },
}))
