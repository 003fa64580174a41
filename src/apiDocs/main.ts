import '@fastify/swagger-ui/static/swagger-ui.css'
import SwaggerUIBundle from '@fastify/swagger-ui/static/swagger-ui-bundle.js'
import { cookies, csrfHeader } from '../schemas/define/wireNames.ts'

const cookieOf = (name: string) => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(document.cookie)?.[1] ?? ''

// The viewer has a dark form, and leaves it to the page when to show it.
const darkness = matchMedia('(prefers-color-scheme: dark)')
const showDarkness = () => document.documentElement.classList.toggle('dark-mode', darkness.matches)
darkness.addEventListener('change', showDarkness)
showDarkness()

SwaggerUIBundle({
  dom_id: '#docs',
  url: '/api/v1/openapi.json',
  // Off, because a validator of another host would learn the address of this server.
  validatorUrl: null,
  deepLinking: true,
  filter: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  tagsSorter: 'alpha',
  requestInterceptor(request) {
    // Calls with this browser's session need the header; calls with a token ignore it.
    request.headers[csrfHeader] = cookieOf(cookies.csrf)
    return request
  },
})
