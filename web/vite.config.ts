import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'
import { offline } from './offline'

// In development the API is served by `dieselfront serve`; in production both come from the same server.
export default defineConfig({
  plugins: [svelte(), offline()],
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { proxy: { '/api': { target: 'http://127.0.0.1:8047', ws: true } } }
})
