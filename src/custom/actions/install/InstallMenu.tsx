import Button from '@mui/material/Button'
import { Suspense, useState } from 'react'
import { useTranslate } from 'react-admin'
import { lazyPart } from '../../../resources/engine/parts/lazyPart.tsx'

const InstallCommands = lazyPart(() => import('./InstallCommands.tsx'))

/** A button with a menu of commands that install an agent on another machine. */
export function InstallMenu() {
  const translate = useTranslate()
  const [anchor, setAnchor] = useState<HTMLElement>()
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {translate('app.install.menu')}
      </Button>
      {anchor ? (
        <Suspense>
          <InstallCommands anchor={anchor} onClose={() => setAnchor(undefined)} />
        </Suspense>
      ) : null}
    </>
  )
}
