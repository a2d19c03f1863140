// Putting the page among the apps of the device, where the browser offers to. It is kept from asking by
// itself: whoever wants it finds a line in the settings.
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

  /** Has the browser ask; an offer holds for one question. */
  async show(): Promise<void> {
    const offer = this.#offer;
    this.#offer = null;
    await offer?.prompt();
  }
}

export const installPrompt = new InstallPrompt();
