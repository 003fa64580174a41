import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, use, useCallback, useEffect, useRef, useState } from 'react'
import { useDataProvider, useLocaleState, useLocation, useNavigate, useNotify, useTranslate } from 'react-admin'
import { formatDateTime } from '../../components/format/format.ts'
import { Loading, PageTitle, Panel } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { AnnouncedFeaturesContext, usePageTitle } from '../../engine/define/page.tsx'
import { LazyReferencePicker } from '../../engine/kinds/reference/LazyReferencePicker.ts'
import { PendingData, RetryAlert, useToast } from '../../engine/parts/ActionDialog.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import type { Profile } from '../../schemas/account/profile.ts'
import type { OwnSession } from '../../schemas/account/session.ts'
import { oauth2Failures } from '../../schemas/define/wireNames.ts'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { rotaEndpoints } from '../../schemas/endpoints/rotaEndpoints.ts'
import { ApiTokens, ServerTransfers } from './NezhaPanels.tsx'
import { OAuth2Bindings } from './OAuth2Bindings.tsx'
import { PlainList } from './PlainList.tsx'
import { ProfileSummary } from './ProfileSummary.tsx'
import { PushDevices } from './PushDevices.tsx'
import { newlyBound, recallBindings } from './pendingBinding.ts'
import { SecondFactorList } from './secondFactor/SecondFactorList.tsx'
import { deviceOf } from './userAgent.ts'

const UpdateProfileDialog = lazyPart(() => import('./UpdateProfileDialog.tsx'))

/** The user's own account. */
export default function ProfilePage() {
  const translate = useTranslate()
  const title = translate('app.account.title')
  usePageTitle(title)
  const { data: profile, error, refetch } = useProfile()
  const setting = useSetting()
  const announced = use(AnnouncedFeaturesContext)
  const [isOpen, setOpen] = useState(false)
  const providers = setting?.config.oauth2_providers ?? []
  const nameOf = useCallback(
    (bound: string) => (setting?.config.oauth2_providers ?? []).find((name) => name.toLowerCase() === bound) ?? bound,
    [setting],
  )
  useBindingResult(setting && profile, nameOf)

  return (
    <div style={{ maxWidth: 960 }} aria-busy={!profile && !error}>
      <PageTitle>{title}</PageTitle>
      {error && !profile ? <RetryAlert error={error} onRetry={refetch} /> : null}
      {!profile && !error ? <Loading /> : null}
      {profile ? (
        <>
          <Panel
            title={translate('app.account.account')}
            action={
              <Button variant="outlined" onClick={() => setOpen(true)}>
                {translate('app.account.update')}
              </Button>
            }
          >
            <ProfileSummary profile={profile} onRenewed={setting?.wheelhouse?.agents ? refetch : undefined} />
          </Panel>
          {setting ? <OAuth2Bindings profile={profile} providers={providers} onChange={refetch} /> : null}
          {setting?.wheelhouse?.second_factor ? <SecondFactorPanel /> : null}
          {setting?.wheelhouse?.escalations ? (
            <DutyNotifiers key={profile.notifiers?.join()} saved={profile.notifiers ?? []} onSaved={refetch} />
          ) : null}
          {announced?.has('push') ? <PushDevices username={profile.username} onChange={refetch} /> : null}
          {setting?.wheelhouse?.sessions ? <SessionList /> : null}
          {setting && (!setting.wheelhouse || setting.wheelhouse.api_tokens) ? <ApiTokens role={profile.role} /> : null}
          {setting && (!setting.wheelhouse || setting.wheelhouse.transfers) ? (
            <ServerTransfers profile={profile} />
          ) : null}
        </>
      ) : null}
      {profile && isOpen ? (
        <Suspense>
          <UpdateProfileDialog profile={profile} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** The user's account as the server has it. In memory only while the page is open, because it has the agent secret. */
function useProfile() {
  const { call } = useDataProvider<ConsoleDataProvider>()
  return useQuery({ queryKey: ['profile', 'own'], queryFn: () => call(endpoints.profile), gcTime: 0 })
}

/** The user's second factor, as a section of the profile. For servers that announce `wheelhouse.second_factor`. */
function SecondFactorPanel() {
  const translate = useTranslate()
  return (
    <Panel title={translate('app.second_factor.title')} hint={translate('app.second_factor.hint')}>
      <SecondFactorList />
    </Panel>
  )
}

/**
 * Reports the result of a binding after the return from a provider, and removes it from the URL.
 * @param profile as the server has it after the return; `undefined` while loading
 * @param nameOf the configured name of a provider
 */
function useBindingResult(profile: Profile | undefined, nameOf: (provider: string) => string) {
  const notify = useNotify()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const isReported = useRef(false)

  useEffect(() => {
    const query = new URLSearchParams(search)
    const failure = query.get('oauth2_error')
    const isBack = query.get('oauth2') === 'true'
    if (!profile || isReported.current || (!isBack && failure === null)) return
    isReported.current = true
    const before = recallBindings()
    if (failure !== null) {
      const code = oauth2Failures.find((code) => code === failure) ?? 'failed'
      notify(`app.account.bind_failures.${code}`, { type: 'error' })
    } else {
      const newBindings = newlyBound(before ?? {}, profile.oauth2_bind ?? {})
      const names = newBindings.map(nameOf).join(', ')
      if (before && names) notify('app.account.bound', { type: 'success', messageArgs: { provider: names } })
      else notify('app.account.bound_before', { type: 'info' })
    }
    navigate(pathname, { replace: true })
  }, [profile, search, pathname, nameOf, navigate, notify])
}

/** By which of their notifiers somebody is told while on duty. */
function DutyNotifiers({ saved, onSaved }: { saved: readonly number[]; onSaved: () => void }) {
  const translate = useTranslate()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const { show, showError } = useToast()
  const [chosen, setChosen] = useState<readonly number[]>(saved)
  const isChanged = chosen.join() !== saved.join()
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(rotaEndpoints.setOwnNotifiers, { notifiers: [...chosen] }),
    onError: showError,
    onSuccess: () => {
      show({ key: 'app.rota.saved' })
      onSaved()
    },
  })
  return (
    <Panel
      title={translate('app.rota.title')}
      hint={translate('app.rota.own_hint')}
      action={
        <Button variant="outlined" disabled={!isChanged} loading={isPending} onClick={() => mutate()}>
          {translate('app.action.save')}
        </Button>
      }
    >
      <Suspense>
        <LazyReferencePicker
          to="notification"
          required
          label={translate('app.rota.own')}
          multiple
          chosen={chosen}
          onChoose={(ids) => setChosen([...ids].sort((one, other) => one - other))}
        />
      </Suspense>
    </Panel>
  )
}

/** The user's sessions, which can be ended here. For servers that announce `wheelhouse.sessions`. */
function SessionList() {
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
