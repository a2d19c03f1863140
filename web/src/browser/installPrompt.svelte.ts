// Installing the page as an app, where the browser offers it. The browser's own prompt is suppressed; the
// settings offer it instead.
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}

class InstallPrompt {
  #offer = $state.raw<InstallOffer | null>(null);

  constructor() {
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      this.#offer = event as InstallOffer;
    });
    addEventListener("appinstalled", () => (this.#offer = null));
  }

  get available(): boolean {
    return this.#offer !== null;
  }

  /** Shows the browser's prompt; an offer can be used only once. */
  async show(): Promise<void> {
    const offer = this.#offer;
    this.#offer = null;
    await offer?.prompt();
  }
}

export const installPrompt = new InstallPrompt();
