import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import { useId } from 'react'
import { useLogout, useTranslate } from 'react-admin'
import { SecondFactorList } from '../../custom/profile/secondFactor/SecondFactorList.tsx'
import { announceStepUp, finishStepUp } from '../../session/stepUp.ts'

/** Shown until somebody has set up a second factor where an administrator requires one; calls wait for it. */
export default function SetUpSecondFactorDialog() {
  const translate = useTranslate()
  const logout = useLogout()
  const titleId = useId()
  return (
    <Dialog open aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{translate('app.second_factor.required_title')}</DialogTitle>
      <DialogContent>
        <p style={{ margin: '0 0 16px' }}>{translate('app.second_factor.required_why')}</p>
        <SecondFactorList
          onAdded={() => announceStepUp('setUpSecondFactor')}
          onSetUp={() => finishStepUp('setUpSecondFactor', true)}
        />
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={() => void logout()}>
          {translate('ra.auth.logout')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
