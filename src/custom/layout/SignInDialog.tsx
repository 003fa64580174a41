import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId, useSyncExternalStore } from 'react'
import { useLocale, useTranslate } from 'react-admin'
import type { Locale } from '../../../i18n/locales.ts'
import { leaveForLogin } from '../../leave.ts'
import { currentPerson } from '../../person.ts'
import { isSessionOver, sessionOpened, watchGate } from '../../sessionGate.ts'
import { LoginForm } from '../login/LoginForm.tsx'
import { type Outcome, signIn } from '../login/signIn.ts'
import { readStanding } from '../login/standing.ts'
import { texts as loginTexts } from '../login/texts.ts'

/**
 * Asks for the password when a session has ended, above whatever is on screen. The calls that were refused wait for
 * it; Cancel leads to the login page.
 */
export function SignInDialog() {
  const isOpen = useSyncExternalStore(watchGate, isSessionOver)
  const translate = useTranslate()
  const texts = loginTexts[useLocale() as Locale]
  const titleId = useId()
  return (
    <Dialog
      open={isOpen}
      aria-labelledby={titleId}
      fullWidth
      maxWidth="xs"
      // Above dialogs that open beneath it, as a form's does when its chunk arrives late.
      sx={{ zIndex: (theme) => theme.zIndex.modal + 1 }}
    >
      <DialogTitle id={titleId}>{texts.ended}</DialogTitle>
      <DialogContent>
        <p style={{ margin: '0 0 20px' }}>{translate('app.session.sign_in_again')}</p>
        <div className="login-embedded">
          <LoginForm
            texts={texts}
            open={signInAgain}
            expected={currentPerson()?.fullName}
            onSignedIn={() => Promise.resolve()}
          />
        </div>
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={leaveForLogin}>
          {translate('app.action.cancel')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Signs in and finds out who it was: the waiting calls are let go only for the person who made them. */
async function signInAgain(username: string, password: string): Promise<Outcome> {
  const outcome = await signIn(username, password)
  if (outcome.kind !== 'good') return outcome
  const standing = await readStanding()
  if (standing.kind === 'unauthorized') return { kind: 'noCookie' }
  if (standing.kind !== 'signedIn') return standing
  sessionOpened(standing.person)
  return outcome
}
