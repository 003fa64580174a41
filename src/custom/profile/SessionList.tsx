import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useDataProvider, useLocaleState, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { Panel } from '../../components/Panel.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { PendingData } from '../../engine/parts/PendingData.tsx'
import { useToast } from '../../engine/parts/useToast.ts'
import type { OwnSession } from '../../schemas/account/session.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { PlainList } from './PlainList.tsx'
import { deviceOf } from './userAgent.ts'

/** The user's sessions, which can be ended here. For servers that announce `wheelhouse.sessions`. */
export function SessionList() {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const toast = useToast()
  const [busy, setBusy] = useState<number | 'others'>()
  const { data, error, refetch } = useQuery({
    queryKey: ['sessions', 'own'],
    queryFn: () => call(endpoints.ownSessions),
  })

  const end = async (what: number | 'others') => {
    setBusy(what)
    try {
      await (what === 'others' ? call(endpoints.endOtherSessions) : call(endpoints.endSession, { id: what }))
      toast.show({ key: what === 'others' ? 'app.own_sessions.others_ended' : 'app.own_sessions.ended' })
    } catch (failure) {
      toast.showError(failure)
    }
    await refetch()
    setBusy(undefined)
  }

  const hasOthers = data?.some(({ current }) => !current)
  return (
    <Panel
      title={translate('app.own_sessions.title')}
      hint={translate('app.own_sessions.hint')}
      action={
        hasOthers ? (
          <Button variant="outlined" color="inherit" loading={busy === 'others'} onClick={() => void end('others')}>
            {translate('app.own_sessions.end_others')}
          </Button>
        ) : null
      }
    >
      <PendingData data={data} error={error} onRetry={refetch} />
      <List>
        {data?.map((session) => (
          <Entry key={session.id} session={session} isBusy={busy === session.id} onEnd={() => void end(session.id)} />
        ))}
      </List>
    </Panel>
  )
}

interface EntryProps {
  session: OwnSession
  isBusy: boolean
  onEnd: () => void
}

function Entry({ session, isBusy, onEnd }: EntryProps) {
  const { created_at, user_agent = '', current } = session
  const address = [session.address, session.other_address].filter(Boolean).join(', ')
  const translate = useTranslate()
  const [locale] = useLocaleState()
  const { browser, system } = deviceOf(user_agent)
  const device = [browser, system].filter(Boolean).join(', ') || translate('app.own_sessions.unknown_device')
  return (
    <li>
      <strong title={user_agent}>{device}</strong>
      <span>
        {address ? `${address} · ` : null}
        {translate('app.own_sessions.since')}{' '}
        <time dateTime={created_at}>{formatDateTime(Date.parse(created_at), locale)}</time>
      </span>
      {current ? (
        <em>{translate('app.own_sessions.current')}</em>
      ) : (
        <Button
          variant="outlined"
          color="inherit"
          loading={isBusy}
          aria-label={translate('app.own_sessions.end_named', { device, address })}
          onClick={onEnd}
        >
          {translate('app.own_sessions.end')}
        </Button>
      )}
    </li>
  )
}

const List = styled(PlainList)(({ theme }) => ({
  '& strong': { minWidth: 160, fontWeight: 600 },
  '& span': { flex: 1, minWidth: 200, color: theme.vars.palette.text.secondary },
  '& em': { fontStyle: 'normal', color: theme.vars.palette.text.secondary },
}))
