import { lazy } from 'react'

/** Menus of placeholders and rows of pairs come with the first form that needs them: a list has no use for them. */
const forms = () => import('./noticeForms.tsx')

export const NotifierUrlInput = lazy(async () => ({ default: (await forms()).NotifierUrlInput }))
export const NotifierBodyInput = lazy(async () => ({ default: (await forms()).NotifierBodyInput }))
export const WebhookTextInput = lazy(async () => ({ default: (await forms()).WebhookTextInput }))
export const TextPairsInput = lazy(async () => ({ default: (await import('./TextPairsInput.tsx')).TextPairsInput }))
export const ProviderInput = lazy(async () => ({ default: (await import('./ProviderInput.tsx')).ProviderInput }))
