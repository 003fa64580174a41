import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { HttpError, useDataProvider, useTranslate } from 'react-admin'
import { useLocaleCode } from '../../components/format/useLanguage.ts'
import { ProofForm } from '../../components/proof/ProofForm.tsx'
import type { ConsoleDataProvider } from '../../dataProvider.ts'
import { errorMessage } from '../../domain/errors.ts'
import { PendingData } from '../../engine/parts/ActionDialog.tsx'
import { type Proof, secondFactorEndpoints } from '../../schemas/endpoints/secondFactorEndpoints.ts'
import { announceStepUp, finishStepUp } from '../../session/stepUp.ts'

const finish = (isDone: boolean) => finishStepUp('reauthenticate', isDone)

/**
 * Asks who is at the keyboard before a call that requires it; the call waits, and is sent afterwards.
 * @param providerLinks for users who sign in at a provider only. An import here would split the sign-in form's file
 */
export default function ReauthenticationDialog({ providerLinks }: { providerLinks: ReactNode }) {
  const translate = useTranslate()
  const locale = useLocaleCode()
  const { call } = useDataProvider<ConsoleDataProvider>()
  const titleId = useId()
  const { data, error, refetch } = useQuery({
    queryKey: ['reauthentication options'],
    queryFn: () => call(secondFactorEndpoints.reauthenticationOptions),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    // A new challenge would invalidate the one that a passkey is just signing.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

  async function prove(proof: Proof): Promise<string | undefined> {
    try {
      await call(secondFactorEndpoints.reauthenticate, proof)
      announceStepUp('reauthenticate')
      finish(true)
      return undefined
    } catch (failure) {
      const message = errorMessage(failure)
      if (!(failure instanceof HttpError)) return message
      // Texts of this console are keys; the server's words stay as they are.
      return translate(message, { _: message, ...failure.body?.messageArgs })
    }
  }

  const hasNothingToAsk = data?.methods.length === 0
  return (
    <Dialog
      open
      onClose={() => finish(false)}
      aria-labelledby={titleId}
      fullWidth
      maxWidth="xs"
      // Above the dialog whose button sent the call.
      sx={{ zIndex: (theme) => theme.zIndex.modal + 1 }}
    >
      <DialogTitle id={titleId}>{translate('app.step_up.title')}</DialogTitle>
      <DialogContent>
        <p style={{ margin: '0 0 16px' }}>{translate('app.step_up.why')}</p>
        <PendingData data={data} error={error} onRetry={refetch} />
        <div className="login-embedded">
          {data && !hasNothingToAsk ? (
            <ProofForm locale={locale} options={data} onProof={prove} onRefused={async () => void (await refetch())} />
          ) : null}
          {hasNothingToAsk ? (
            <>
              <p>{translate('app.step_up.provider')}</p>
              {providerLinks}
            </>
          ) : null}
        </div>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={() => finish(false)}>
          {translate('app.action.cancel')}
        </Button>
        {hasNothingToAsk ? (
          <Button variant="contained" onClick={() => finish(true)}>
            {translate('app.step_up.go_on')}
          </Button>
        ) : null}
      </DialogActions>
    </Dialog>
  )
}
