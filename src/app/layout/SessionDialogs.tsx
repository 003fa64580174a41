import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { Suspense, useEffect, useId, useState, useSyncExternalStore } from 'react'
import { useTranslate } from 'react-admin'
import { signInTexts } from '../../../i18n/signInTexts.ts'
import { useLocaleCode } from '../../components/format/useLanguage.ts'
import { LoginForm, ProviderLinks } from '../../custom/login/LoginForm.tsx'
import { readSessionStatus, type SignInFailure } from '../../custom/login/signIn.ts'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { currentUser } from '../../session/currentUser.ts'
import { goToSignIn } from '../../session/navigation.ts'
import { hasSessionEnded, startSession, subscribeToGate } from '../../session/sessionGate.ts'
import { isStepUpOpen, subscribeToStepUp } from '../../session/stepUp.ts'
import type { StepUp } from '../../session/tabMessages.ts'
import { type PublicSetting, readPublicSetting, rememberedForm } from '../../site/publicSetting.ts'

const ReauthenticationDialog = lazyPart(() => import('./ReauthenticationDialog.tsx'))
const SetUpSecondFactorDialog = lazyPart(() => import('./SetUpSecondFactorDialog.tsx'))

/**
 * Asks to sign in again after a session has ended, above the current screen: by password, or at a provider in a new tab,
 * which informs this one. The refused calls wait for it; Cancel goes to the login page. Its code comes with the console:
 * calls with a token that has ended can block this address for a moment, and then the server refuses to send any file.
 */
export function SignInDialog() {
  const isOpen = useSyncExternalStore(subscribeToGate, hasSessionEnded)
  const translate = useTranslate()
  const locale = useLocaleCode()
  const texts = signInTexts(locale).login
  const site = useSite(isOpen)
  const { providers } = site
  const titleId = useId()
  return (
    <Dialog
      open={isOpen}
      aria-labelledby={titleId}
      fullWidth
      maxWidth="xs"
      // Above dialogs that open after it, such as that of a form whose code arrives late.
      sx={{ zIndex: (theme) => theme.zIndex.modal + 1 }}
    >
      <DialogTitle id={titleId}>{texts.ended}</DialogTitle>
      <DialogContent>
        <p style={{ margin: '0 0 20px' }}>{translate('app.session.sign_in_again')}</p>
        <div className="login-embedded">
          <LoginForm
            texts={texts}
            locale={locale}
            hasProviders={providers.length > 0}
            offersPasskeys={site.passkeys}
            expectedUser={currentUser()?.fullName}
            onSignedIn={continueSession}
          />
          {providers.length > 0 && (
            <>
              <p className="login-or">{texts.or}</p>
              <ProviderLinks texts={texts} names={providers} />
            </>
          )}
        </div>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={goToSignIn}>
          {translate('app.action.cancel')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/**
 * How people can sign in, loaded when the dialog opens. The ended session is removed by then, so the public route is safe.
 */
function useSite(isOpen: boolean): PublicSetting {
  const [site, setSite] = useState<PublicSetting>(rememberedForm)
  useEffect(() => {
    if (isOpen) void readPublicSetting().then(setSite)
  }, [isOpen])
  return site
}

/** Reads who has signed in: the waiting calls are sent only for the same user. */
async function continueSession(): Promise<SignInFailure | undefined> {
  const status = await readSessionStatus()
  if (status.kind === 'unauthorized') return { kind: 'noCookie' }
  if (status.kind !== 'signedIn') return status
  startSession(status.person)
  return undefined
}

/** The dialogs above the screens while calls wait for a proof, or for a second factor that is required. */
export function StepUpDialogs() {
  const needsSetUp = useIsOpen('setUpSecondFactor')
  const needsProof = useIsOpen('reauthenticate')
  return (
    <Suspense>
      {needsSetUp ? <SetUpSecondFactorDialog /> : null}
      {needsProof ? <ReauthenticationDialog providerLinks={<SignInLinks />} /> : null}
    </Suspense>
  )
}

function SignInLinks() {
  const locale = useLocaleCode()
  return <ProviderLinks texts={signInTexts(locale).login} names={rememberedForm().providers} />
}

const useIsOpen = (kind: StepUp) => useSyncExternalStore(subscribeToStepUp, () => isStepUpOpen(kind))
