import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { useToast } from '../../engine/parts/useToast.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import type { TurnedAwayAgent } from '../../schemas/machines/turnedAwayAgent.ts'

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
