import Button from '@mui/material/Button'
import CircularProgress from '@mui/material/CircularProgress'
import Link from '@mui/material/Link'
import { styled } from '@mui/material/styles'
import TextField from '@mui/material/TextField'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import {
  type Identifier,
  LinkBase,
  useDataProvider,
  useGetMany,
  useLocaleState,
  useRefresh,
  useTranslate,
  useUpdate,
} from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { addressesOf, type ServerRow } from '../../components/serverMetrics.ts'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useAddresses } from '../../engine/define/screen.ts'
import { useToast } from '../../engine/parts/ActionDialog.tsx'
import { liveStates } from '../../live/store.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import type { TurnedAwayAgent } from '../../schemas/machines/turnedAwayAgent.ts'

/** Says that an agent is waited for, and which have connected meanwhile; each can be given a name. */
export function AwaitedAgents() {
  const translate = useTranslate()
  const servers = useNewServers()
  const end = useRef<HTMLParagraphElement>(null)
  // Below a long command the new servers would stay out of sight.
  useEffect(() => {
    if (servers.length > 0) end.current?.scrollIntoView({ block: 'nearest' })
  }, [servers.length])
  return (
    <Area role="status" aria-label={translate('app.install.connection')}>
      {servers.map((server) => (
        <Connected key={server.id} server={server} />
      ))}
      <p ref={end}>
        <CircularProgress size={14} aria-hidden />
        {translate(servers.length > 0 ? 'app.install.waiting_for_more' : 'app.install.waiting')}
      </p>
    </Area>
  )
}

function Connected({ server }: { server: ServerRow }) {
  const translate = useTranslate()
  const addresses = useAddresses()
  const system = [server.host?.platform, server.host?.platform_version].filter(Boolean).join(' ')
  const [update, { isPending }] = useUpdate()
  const refresh = useRefresh()
  const toast = useToast()
  const [name, setName] = useState(server.name ?? '')
  const newName = name.trim()
  // The button stays enabled: a disabled one loses the focus of the keyboard.
  const rename = () =>
    !isPending &&
    newName !== '' &&
    update(
      'server',
      { id: server.id, data: { name: newName }, previousData: server },
      {
        onSuccess: () => {
          toast.show({ key: 'app.install.renamed' })
          refresh()
        },
        onError: toast.showError,
      },
    )
  return (
    <div>
      <strong>
        {translate('app.install.connected')}{' '}
        <Link component={LinkBase} to={addresses.edit(server.id)}>
          {server.name}
        </Link>
        {[system, ...addressesOf(server)].filter(Boolean).map((fact) => `, ${fact}`)}
      </strong>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void rename()
        }}
      >
        <TextField
          size="small"
          label={translate('app.install.name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          slotProps={{ htmlInput: { maxLength: 128 } }}
        />
        <Button type="submit" variant="outlined" aria-busy={isPending} disabled={newName === ''}>
          {translate('app.install.rename')}
        </Button>
      </form>
    </div>
  )
}

const Area = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: theme.spacing(1.5),
  overflowWrap: 'anywhere',
  '& > div': {
    padding: theme.spacing(1.5),
    border: `1px solid ${theme.vars.palette.success.main}`,
    borderRadius: theme.shape.borderRadius,
  },
  '& form': { display: 'flex', gap: theme.spacing(1), alignItems: 'center', marginTop: theme.spacing(1.5) },
  '& form > div': { flex: 1 },
  '& p': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    margin: 0,
    color: theme.vars.palette.text.secondary,
  },
}))

/** Milliseconds between two looks at the live metrics. */
const lookMs = 1_000
/** An agent looks its addresses up after its first report. */
const addressWaitMs = 2_000
const addressWaits = 5

const everything = {
  pagination: { page: 1, perPage: 1_000_000 },
  sort: { field: 'id', order: 'ASC' as const },
  filter: {},
}

/** The servers that have come online since the component was first drawn and were in no list before; the newest first. */
function useNewServers(): readonly ServerRow[] {
  const ids = useNewIds()
  const refresh = useRefresh()
  const { data } = useGetMany<ServerRow & { id: Identifier }>('server', { ids: [...ids] }, { enabled: ids.length > 0 })
  const servers = (data ?? []).filter((server) => server !== undefined)
  const waits = useRef(0)
  const isComplete = servers.length === ids.length && servers.every((server) => addressesOf(server).length > 0)

  useEffect(() => {
    waits.current = 0
    if (ids.length > 0) refresh()
  }, [ids, refresh])

  useEffect(() => {
    if (isComplete) return
    const timer = setInterval(() => {
      waits.current += 1
      if (waits.current <= addressWaits) refresh()
    }, addressWaitMs)
    return () => clearInterval(timer)
  }, [isComplete, refresh])

  return servers
}

function useNewIds(): readonly number[] {
  const dataProvider = useDataProvider<ConsoleDataProvider>()
  const [ids, setIds] = useState<readonly number[]>([])

  useEffect(() => {
    const seen = new Set<number>()
    let isBusy = true
    const look = async () => {
      if (isBusy) return
      isBusy = true
      const entries = await liveStates()
      const fresh = [...entries.keys()].filter((id) => !seen.has(id) && entries.get(id)?.online)
      isBusy = false
      for (const id of fresh) seen.add(id)
      if (fresh.length > 0) setIds((before) => [...fresh, ...before])
    }
    const begin = async () => {
      const { data } = await dataProvider.getList('server', everything)
      for (const id of [...data.map((row) => Number(row.id)), ...(await liveStates()).keys()]) seen.add(id)
      isBusy = false
    }
    begin().catch((error) => console.error(error))
    const timer = setInterval(() => void look(), lookMs)
    return () => clearInterval(timer)
  }, [dataProvider])

  return ids
}

/** Agents that are listed at once: letting one in makes room for the next. */
const maxListed = 20

/** Agents of deleted servers, each of which can be let in again; nothing while there are none. */
export function TurnedAwayAgents() {
  const translate = useTranslate()
  const titleId = useId()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const isOffered = useSetting()?.wheelhouse?.agents === true
  const { data = [], refetch } = useQuery({
    queryKey: ['agents', 'turned-away'],
    queryFn: () => call(endpoints.turnedAwayAgents),
    enabled: isOffered,
    refetchInterval: 5_000,
  })
  if (data.length === 0) return null
  return (
    <Section aria-labelledby={titleId}>
      <h3 id={titleId}>{translate('app.install.turned_away', { count: data.length })}</h3>
      <p>{translate('app.install.turned_away_hint')}</p>
      <ul>
        {data.slice(0, maxListed).map((agent) => (
          <Entry key={agent.uuid} agent={agent} onChange={refetch} />
        ))}
      </ul>
    </Section>
  )
}

function Entry({ agent, onChange }: { agent: TurnedAwayAgent; onChange: () => Promise<unknown> }) {
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const { uuid, name = uuid, deleted_at, address, called_at } = agent
  const time = (text: string) => formatDateTime(Date.parse(text), locale)

  const admit = async () => {
    setBusy(true)
    try {
      await call(endpoints.admitAgents, [uuid])
      toast.show({ key: 'app.install.let_in_done', args: { name } })
    } catch (error) {
      toast.showError(error)
    }
    await onChange()
    setBusy(false)
  }

  return (
    <li>
      <span>
        <strong>{name}</strong>
        <small title={uuid}>
          {translate('app.install.deleted_at', { time: time(deleted_at) })}
          {' · '}
          {called_at
            ? translate('app.install.called_at', { time: time(called_at), address: address ?? '–' })
            : translate('app.install.never_called')}
        </small>
      </span>
      <Button
        variant="outlined"
        color="inherit"
        loading={isBusy}
        aria-label={translate('app.install.let_in_named', { name })}
        onClick={() => void admit()}
      >
        {translate('app.install.let_in')}
      </Button>
    </li>
  )
}

const Section = styled('section')(({ theme }) => ({
  paddingTop: theme.spacing(2),
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  overflowWrap: 'anywhere',
  '& h3': { ...theme.typography.h3, margin: 0 },
  '& p': { margin: theme.spacing(0.5, 0, 0), color: theme.vars.palette.text.secondary },
  '& ul': { margin: 0, padding: 0, listStyle: 'none' },
  '& li': { display: 'flex', alignItems: 'center', gap: theme.spacing(2), paddingBlock: theme.spacing(1) },
  '& li > span': { flex: 1, minWidth: 0 },
  '& small': { display: 'block', fontSize: 13, color: theme.vars.palette.text.secondary },
}))
