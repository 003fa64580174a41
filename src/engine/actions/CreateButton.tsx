import Button from '@mui/material/Button'
import { LinkBase } from 'react-admin'
import { useAddresses, useScreen } from '../define/screen.ts'

/** Opens the create dialog. Absent where the API has no creation or this person may not create. */
export function CreateButton({ variant = 'contained' }: { variant?: 'contained' | 'outlined' }) {
  const addresses = useAddresses()
  const { allowed, translate } = useScreen()
  if (!allowed('create')) return null
  return (
    <Button variant={variant} component={LinkBase} to={addresses.create}>
      {translate('app.action.create')}
    </Button>
  )
}
