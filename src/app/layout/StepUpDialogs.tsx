import { Suspense, useSyncExternalStore } from 'react'
import { signInTexts } from '../../../i18n/signInTexts.ts'
import { useLocaleCode } from '../../components/format/useLanguage.ts'
import { ProviderLinks } from '../../custom/login/ProviderButtons.tsx'
import { lazyPart } from '../../engine/parts/lazyPart.tsx'
import { isStepUpOpen, subscribeToStepUp } from '../../session/stepUp.ts'
import type { StepUp } from '../../session/tabMessages.ts'
import { rememberedForm } from '../../site/publicSetting.ts'

const ReauthenticationDialog = lazyPart(() => import('./ReauthenticationDialog.tsx'))
const SetUpSecondFactorDialog = lazyPart(() => import('./SetUpSecondFactorDialog.tsx'))

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
