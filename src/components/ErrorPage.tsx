import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { LinkBase, useTranslate } from 'react-admin'
import { usePageTitle } from '../engine/define/pageTitle.ts'

/** Shown instead of a screen: an apology, the error's message, and links to go on. */
export function ErrorPage({ error }: { error: Error }) {
  const translate = useTranslate()
  usePageTitle(translate('app.error_page.title'))
  return (
    <Apology role="alert">
      <h1>{translate('app.error_page.title')}</h1>
      <p>{translate('app.error_page.text')}</p>
      <pre>{error.message || error.name}</pre>
      <Actions>
        <Button variant="contained" component={LinkBase} to="/dashboard">
          {translate('app.error_page.back')}
        </Button>
        <Button variant="outlined" color="inherit" onClick={() => window.location.reload()}>
          {translate('app.error_page.reload')}
        </Button>
      </Actions>
    </Apology>
  )
}

/** The error page of an unknown path. */
export function NotFoundPage() {
  const translate = useTranslate()
  return <ErrorPage error={new Error(translate('app.error_page.not_found'))} />
}

/** The error page of a screen that this user may not open; react-admin redirects to it. */
export function AccessDeniedPage() {
  const translate = useTranslate()
  return <ErrorPage error={new Error(translate('ra.message.access_denied'))} />
}

/** The error page for a failed check of the sign-in; react-admin redirects to it. */
export function AuthenticationErrorPage() {
  const translate = useTranslate()
  return <ErrorPage error={new Error(translate('ra.message.authentication_error'))} />
}

const Apology = styled('section')(({ theme }) => ({
  maxWidth: 640,
  margin: '10vh auto 0',
  padding: '0 16px',
  textAlign: 'center',
  '& h1': { ...theme.typography.h1, fontSize: 28, margin: 0 },
  '& p': { margin: '8px 0 16px', color: theme.vars.palette.text.secondary },
  '& pre': {
    margin: '0 0 24px',
    padding: '12px 16px',
    textAlign: 'start',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
    backgroundColor: theme.vars.palette.sunken,
    border: `1px solid ${theme.vars.palette.divider}`,
    borderRadius: theme.shape.borderRadius,
  },
}))

const Actions = styled('div')({ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: 12 })
