import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { LinkBase, useBasename, useTranslate } from 'react-admin'
import { allows } from '../schemas/define/access.ts'
import { usePageTitle } from './define/page.tsx'
import { useIdentity } from './parts/identity.tsx'

/**
 * In place of a screen that members may not see, or that this server does not have: what it is, why it is not shown, and
 * ways back.
 */
export default function AdministratorsOnly({ titleKey }: { titleKey: string }) {
  const translate = useTranslate()
  const basename = useBasename()
  const title = translate(titleKey, { smart_count: 2 })
  const { identity } = useIdentity()
  usePageTitle(title)
  return (
    <section>
      <Title>{title}</Title>
      <Alert severity="info" variant="outlined">
        {translate(allows(identity?.role, 'admin') ? missingText(titleKey) : 'app.admins_only.text')}
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

/** What to tell an administrator of a page that this server does not have. */
const missingText = (titleKey: string) =>
  titleKey === 'app.shell.cluster' ? 'app.cluster.none' : 'app.admins_only.missing'

const Title = styled('h1')(({ theme }) => ({ ...theme.typography.h1, margin: theme.spacing(2, 0, 1.5) }))

const Links = styled('p')(({ theme }) => ({ display: 'flex', flexWrap: 'wrap', gap: theme.spacing(1.5) }))
