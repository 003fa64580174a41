import Button from '@mui/material/Button'
import { useQuery } from '@tanstack/react-query'
import { Suspense, use, useCallback, useState } from 'react'
import { useDataProvider, useTranslate } from 'react-admin'
import { Loading } from '../../components/Loading.tsx'
import { PageTitle, Panel } from '../../components/Panel.tsx'
import { useSetting } from '../../components/useSetting.ts'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { AnnouncedFeaturesContext } from '../../engine/define/announcedFeatures.ts'
import { usePageTitle } from '../../engine/define/pageTitle.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { RetryAlert } from '../../engine/parts/RetryAlert.tsx'
import { endpoints } from '../../schemas/endpoints/index.ts'
import { ApiTokens } from './ApiTokens.tsx'
import { DutyNotifiers } from './DutyNotifiers.tsx'
import { OAuth2Bindings } from './OAuth2Bindings.tsx'
import { ProfileSummary } from './ProfileSummary.tsx'
import { PushDevices } from './PushDevices.tsx'
import { ServerTransfers } from './ServerTransfers.tsx'
import { SessionList } from './SessionList.tsx'
import { SecondFactorList } from './secondFactor/SecondFactorList.tsx'
import { useBindingResult } from './useBindingResult.ts'

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
