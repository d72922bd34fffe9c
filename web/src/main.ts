import { mount } from 'svelte'
import App from './App.svelte'
import { dress } from './lib/settings.svelte'
import './theme.css'

dress()
mount(App, { target: document.getElementById('app')! })

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  addEventListener('load', () => {
    // Once the page has come to rest, the rules are fetched for when there is no connection.
    const library = (registration: ServiceWorkerRegistration): unknown => setTimeout(() => registration.active?.postMessage('library'), 4000)
    navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(library, () => undefined)
  })
}
