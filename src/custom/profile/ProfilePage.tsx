import Button from '@mui/material/Button'
import { Suspense, useCallback, useState } from 'react'
import { Loading, useTranslate } from 'react-admin'
import { usePageTitle } from '../../resources/engine/define/pageTitle.ts'
import { lazyPart } from '../../resources/engine/parts/lazyPart.tsx'
import { RetryAlert } from '../../resources/engine/parts/RetryAlert.tsx'
import { PageTitle, Panel } from '../components/Panel.tsx'
import { useSetting } from '../hooks/useSetting.ts'
import { ApiTokens } from '../nezha/ApiTokens.tsx'
import { ServerTransfers } from '../nezha/ServerTransfers.tsx'
import { OAuth2Bindings } from './OAuth2Bindings.tsx'
import { ProfileSummary } from './ProfileSummary.tsx'
import { SessionList } from './SessionList.tsx'
import { useBindingResult } from './useBindingResult.ts'
import { useProfile } from './useProfile.ts'

const UpdateProfileDialog = lazyPart(() => import('./UpdateProfileDialog.tsx'))

/** One's own account. */
export default function ProfilePage() {
  const translate = useTranslate()
  const title = translate('app.account.title')
  usePageTitle(title)
  const { data: profile, error, refetch } = useProfile()
  const setting = useSetting()
  const [isOpen, setOpen] = useState(false)
  const providers = setting?.config.oauth2_providers ?? []
  const nameOf = useCallback(
    (bound: string) => (setting?.config.oauth2_providers ?? []).find((name) => name.toLowerCase() === bound) ?? bound,
    [setting],
  )
  useBindingResult(setting && profile, nameOf)

  return (
    <div style={{ maxWidth: 960 }}>
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
            <ProfileSummary profile={profile} />
          </Panel>
          {setting ? <OAuth2Bindings profile={profile} providers={providers} onChange={refetch} /> : null}
          {setting?.wheelhouse?.sessions ? <SessionList /> : null}
          {setting && !setting.wheelhouse ? (
            <>
              <ApiTokens role={profile.role} />
              <ServerTransfers profile={profile} />
            </>
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
