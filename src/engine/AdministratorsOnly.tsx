import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { LinkBase, useBasename, useTranslate } from 'react-admin'
import { usePageTitle } from './define/pageTitle.ts'

/** In place of a screen that members may not see: what it is, why it is not shown, and ways back. */
export default function AdministratorsOnly({ titleKey }: { titleKey: string }) {
  const translate = useTranslate()
  const basename = useBasename()
  const title = translate(titleKey, { smart_count: 2 })
  usePageTitle(title)
  return (
    <section>
      <Title>{title}</Title>
      <Alert severity="info" variant="outlined">
        {translate('app.admins_only.text')}
      </Alert>
      <Links>
        <Button component={LinkBase} to={basename || '/'} variant="contained">
          {translate('app.error_page.back')}
        </Button>
        <Button component={LinkBase} to={`${basename}/profile`} variant="outlined" color="inherit">
          {translate('app.shell.profile')}
        </Button>
      </Links>
    </section>
  )
}

const Title = styled('h1')(({ theme }) => ({ ...theme.typography.h1, margin: theme.spacing(2, 0, 1.5) }))

const Links = styled('p')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1.5) }))
