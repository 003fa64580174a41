import { lazy } from 'react'

const noticeForms = () => import('./noticeForms.tsx')

/** The inputs that definitions point to. Each comes with the first form that needs it: a list has no use for them. */
export const AlertNotifierGroup = lazy(() => import('./AlertNotifierGroup.tsx'))
export const CronInput = lazy(() => import('./CronInput.tsx'))
export const NotifierBodyInput = lazy(async () => ({ default: (await noticeForms()).NotifierBodyInput }))
export const NotifierUrlInput = lazy(async () => ({ default: (await noticeForms()).NotifierUrlInput }))
export const ProviderInput = lazy(async () => ({ default: (await import('./ProviderInput.tsx')).ProviderInput }))
export const PublicNote = lazy(async () => ({ default: (await import('./PublicNote.tsx')).PublicNote }))
export const RuleInput = lazy(() => import('./RuleBuilder.tsx'))
export const ServiceTarget = lazy(() => import('./ServiceTarget.tsx'))
export const TextPairsInput = lazy(async () => ({ default: (await import('./TextPairsInput.tsx')).TextPairsInput }))
export const WebhookTextInput = lazy(async () => ({ default: (await noticeForms()).WebhookTextInput }))
