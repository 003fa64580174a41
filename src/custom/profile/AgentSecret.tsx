import VisibilityOffIcon from '@mui/icons-material/VisibilityOffOutlined'
import VisibilityIcon from '@mui/icons-material/VisibilityOutlined'
import IconButton from '@mui/material/IconButton'
import { styled } from '@mui/material/styles'
import { useState } from 'react'
import { useTranslate } from 'react-admin'
import { CopyButton } from '../components/CopyButton.tsx'

/** The secret with which agents register: dots, until somebody wants to see it. */
export function AgentSecret({ secret }: { secret: string }) {
  const translate = useTranslate()
  const [isShown, setShown] = useState(false)
  const name = translate(isShown ? 'app.form.hide_secret' : 'app.form.show_secret')
  return (
    <Line>
      <code>{isShown ? secret : '••••••••••••••••'}</code>
      <IconButton size="small" aria-label={name} title={name} aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? <VisibilityOffIcon fontSize="small" /> : <VisibilityIcon fontSize="small" />}
      </IconButton>
      <CopyButton text={secret} label={translate('app.account.copy_secret')} />
    </Line>
  )
}

const Line = styled('span')({ display: 'inline-flex', alignItems: 'center', gap: 4, minWidth: 0, maxWidth: '100%' })
