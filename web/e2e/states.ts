// The states that elements of the page show, and how a test switches each on and off.
export interface State {
  /** The component and its conditional class, as in `class={[… && "class"]}`; or a plain name. */
  name: string;
  /** The elements that can have the state. */
  element: string;
  /** The class or attribute (`attribute=value`) that turns the state on. */
  mark: string;
}

const attribute = (name: string, element: string, mark: string): State => ({ name, element, mark });
const own = (name: string, element: string): State => ({ name, element, mark: name.split(".")[1] ?? "" });

export const STATES: readonly State[] = [
  own("AllHands.acting", "[data-hand]"),
  own("AvatarPicker.chosen", ".faces label"),
  own("CoiffeurSlate.me", ".slate thead th[title]"),
  own("DoubtStatusBar.mine", "[data-mine]"),
  own("FinalPlaces.own", ".end ol > li"),
  own("Hand.lifted", "#hand [data-card].open"),
  own("Hand.open", "#hand .playing [data-card]:not(.lifted)"),
  own("HouseRuleItem.holds", "dialog .rule li"),
  own("LobbySeat.asks", ".lobby button.place:not(.open)"),
  own("LobbySeat.mine", ".lobby div.place"),
  own("MakeClaimPanel.honest", ".ranks label:not(.picked)"),
  own("MakeClaimPanel.picked", ".ranks label"),
  own("PlayerStatusBar.mine", ".own .turn"),
  own("RankHand.asked", "#hand [aria-pressed]"),
  own("RankHand.chosen", "#hand [aria-pressed]"),
  own("RankHand.drawn", "#hand [aria-pressed]"),
  own("RoundResultTable.me", ".round-points tbody tr"),
  own("SeatPlate.acting", ".plate"),
  own("SeatPlate.preparing", ".plate:not(.acting, .dropped)"),
  own("SegmentedControl.chosen", ".bar label"),
  own("Slate.me", ".slate li:not([data-side])"),
  own("StartPage.chosen", ".tile"),
  own("TextTable.playable", ".buttons button[aria-disabled]"),
  own("TrickCards.holding", ".trick li"),
  own("TrickCards.won", ".trick li"),
  own("TrumpBadge.none", ".trump"),
  own("WeisPromptPanel.on", "label.weis"),
  own("ZSlate.me", ".slate li[data-side]"),
  attribute("chosen preset", ".presets button", "aria-pressed=true"),
  attribute("language", ".brand ~ * button[aria-pressed], header ul button", "aria-pressed=true"),
  attribute("chat that is open", ".speak", "aria-expanded=true"),
  attribute("chapter of the rules", "dialog nav button", "aria-current=true"),
  attribute("suggested card", "#hand .playing .open", "data-suggested="),
  attribute("suggested choice", ".choose button", "data-suggested="),
  attribute("open disclosure", "details", "open="),
  attribute("disabled button", ".button:not(.primary)", "disabled="),
  attribute("disabled choice", ".choose :is(.line, .suit)", "aria-disabled=true"),
  attribute("wrong nickname", "form.setup > :not(.rules) input.field", "aria-invalid=true"),
  attribute("wrong code", "dialog input.field", "aria-invalid=true"),
];

/** Classes that say nothing alone: words, icons or positions say it, or the class only lays out. */
export const SAID_OTHERWISE: Readonly<Record<string, string>> = {
  "AllContractRounds.me": "as CoiffeurSlate",
  "AllRounds.me": "as CoiffeurSlate",
  "AnalysedDecision.mistake": "a line of its own names the best action",
  "AnalysedDecision.played": "named above the table",
  "AnswerClaimPanel.mine": "buttons to answer with",
  "BlindAndTurnedCard.asking": "layout",
  "Centre.leaving": "animation",
  "ChipStacks.debt": "a sign and a shape",
  "ClaimLog.lie": "words",
  "ClaimLog.true": "words",
  "ClaimReveal.lie": "words",
  "ClaimReveal.right": "a tick",
  "ClaimReveal.true": "words",
  "ClaimReveal.wrong": "a cross",
  "CoiffeurSlate.now": "points in place of an empty field",
  "CoiffeurSlate.open": "an empty field",
  "DealVerification.wrong": "its heading",
  "GenericRoundResult.me": "as RoundResultTable",
  "GenericSlate.me": "as Slate",
  "Hand.sent": "position",
  "HandjassSlate.safe": "a crown",
  "HouseRuleItem.idle": "words",
  "LastTrick.won": "an underline and words",
  "MatchHistoryRow.winner": "the result above",
  "MatchHistoryRow.won": "an icon and words",
  "MatchTimeLeft.short": "the time",
  "MistakesChart.ground": "a line of the chart",
  "PlayerStatusBar.over": "the bar beyond the goal",
  "RoundResult.exact": "the number",
  "RoundResult.gain": "a sign",
  "RoundResult.me": "as RoundResultTable, or the first column",
  "RoundResultTable.absent": "words",
  "RuleBlock.best": "words",
  "RulesPanel.changed": "a badge",
  "SeatPlate.gone": "an icon and words",
  "SegmentedControl.waits": "words",
  "Teams.me": "the reader's name",
  "TextTable.mine": "words",
  "TrickCards.glowing": "an announcement in words",
  "TrickCards.lost": "the card that won is larger",
  "TurnTimer.short": "the time",
  "TutorialBubble.idle": "no button",
};

/** Classes that only lay out. */
export const LAYOUT = new Set(
  `AccountPanel.primary ActionChoicePanel.many ActionChoicePanel.one ChatButton.beside ChatButton.hangs
  CoiffeurSlate.sr-only ContractPanel.many ContractPanel.six ContractPanel.slate ContractPanel.two
  DownloadRecordButton.quiet Hand.playing LastTrick.many LastTrickButton.small Lobby.many Lobby.partners
  Lobby.primary LobbySeat.preparing Mat.across Mat.near Mat.open Mat.watched MatOverlay.whole MeldCards.long
  ModalPanel.wide MyMatches.wide PlayScreen.coached PlayScreen.empty PlayScreen.left PlayScreen.over
  PlayScreen.up PlayerStatusBar.line PlayerStatusBar.sided PlayerStatusBar.timed PlayerStatusBar.wide
  RankHand.first ReplayTable.watched RoundResultTable.many RoundResultTable.told RuleBlock.bare
  RuleBlock.drawn RuleText.chalk ShortcutsPanel.many SlateFrame.framed SpeechBubble.long StatusBarAndHand.left
  StayOrDropPanel.three TableHeader.five TeamPoints.short`.split(/\s+/),
);
