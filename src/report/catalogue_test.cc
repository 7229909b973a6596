#include "report/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/message_ids.h"
#include "model/step.h"

namespace latido::report {
namespace {

using model::Params;

using Index = std::map<std::string_view, std::string_view>;

Index index_of(Language language) {
  Index index;
  for (const CatalogueEntry& entry : catalogue_entries(language)) {
    EXPECT_TRUE(index.emplace(entry.id, entry.text).second)
        << to_text(language) << ": " << entry.id << " stands twice";
  }
  return index;
}

// The names of the placeholders in a template, those inside choices and optional parts included.
std::set<std::string> names_in(std::string_view text) {
  std::set<std::string> names;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const std::size_t end = text.find_first_of(":|}", at);
    if (end != std::string_view::npos) names.emplace(text.substr(at + 1, end - at - 1));
  }
  return names;
}

TEST(Catalogue, HasTheSameMessagesWithTheSamePlaceholdersInEveryLanguage) {
  const Index english = index_of(Language::kEnglish);
  for (const Language language : {Language::kSpanish, Language::kItalian}) {
    const Index other = index_of(language);
    for (const auto& [id, text] : english) {
      const auto it = other.find(id);
      if (it == other.end()) {
        ADD_FAILURE() << to_text(language) << " lacks " << id;
        continue;
      }
      EXPECT_EQ(names_in(it->second), names_in(text)) << to_text(language) << ": " << id;
      EXPECT_FALSE(it->second.empty()) << id;
    }
    EXPECT_EQ(other.size(), english.size()) << to_text(language);
  }
}

TEST(Catalogue, KeepsTabsAndOptionalPartsInEveryLanguage) {
  const Index english = index_of(Language::kEnglish);
  for (const Language language : {Language::kSpanish, Language::kItalian}) {
    for (const auto& [id, text] : index_of(language)) {
      const std::string_view want = english.at(id);
      EXPECT_EQ(std::ranges::count(text, '\t'), std::ranges::count(want, '\t')) << id;
      EXPECT_EQ(text.find("[[") == std::string_view::npos,
                want.find("[[") == std::string_view::npos)
          << to_text(language) << ": " << id;
      EXPECT_EQ(std::ranges::count(text, '{'), std::ranges::count(text, '}')) << id;
    }
  }
}

TEST(Catalogue, HasEveryMessageOfDiagnosisAndUsesOnlyItsParameters) {
  const Index english = index_of(Language::kEnglish);
  for (const diagnosis::MessageSpec& spec : diagnosis::kMessages) {
    const auto it = english.find(spec.id);
    if (it == english.end()) {
      ADD_FAILURE() << "no text for " << spec.id;
      continue;
    }
    std::set<std::string> allowed;
    for (std::string_view param : spec.params) {
      if (param.ends_with('?')) param.remove_suffix(1);
      if (!param.empty()) allowed.emplace(param);
    }
    for (const std::string& name : names_in(it->second)) {
      EXPECT_TRUE(allowed.contains(name)) << spec.id << " has no parameter " << name;
    }
  }
}

TEST(Catalogue, PutsParametersThatMayBeAbsentIntoOptionalParts) {
  for (const Language language : kLanguages) {
    const Catalogue catalogue(language);
    for (const diagnosis::MessageSpec& spec : diagnosis::kMessages) {
      Params params;
      for (const std::string_view param : spec.params) {
        if (!param.empty() && !param.ends_with('?')) params.set(std::string(param), 2.0);
      }
      const auto text = catalogue.try_say(spec.id, params);
      ASSERT_TRUE(text.has_value()) << spec.id;
      EXPECT_EQ(text->find('?'), std::string::npos) << spec.id << ": " << *text;
      EXPECT_EQ(text->find('{'), std::string::npos) << spec.id << ": " << *text;
      EXPECT_EQ(text->find("[["), std::string::npos) << spec.id << ": " << *text;
    }
  }
}

TEST(Catalogue, OneWorkerIsNotSeveral) {
  for (const Language language : kLanguages) {
    const Catalogue catalogue(language);
    for (const diagnosis::MessageSpec& spec : diagnosis::kMessages) {
      Params params;
      for (std::string_view param : spec.params) {
        if (param.ends_with('?')) param.remove_suffix(1);
        if (!param.empty()) params.set(std::string(param), std::int64_t{1});
      }
      const auto text = catalogue.try_say(spec.id, params);
      ASSERT_TRUE(text.has_value()) << spec.id;
      EXPECT_EQ(text->find("1 workers"), std::string::npos) << spec.id << ": " << *text;
    }
  }
}

TEST(Catalogue, NamesEveryPhasePartRuleAndLimit) {
  for (const Language language : kLanguages) {
    const Catalogue catalogue(language);
    const auto expect = [&](const std::string& id) {
      EXPECT_TRUE(catalogue.try_say(id, {}).has_value()) << to_text(language) << ": " << id;
    };
    for (const model::Phase phase : model::kPhases) {
      for (const std::string_view prefix : {"phase.", "part.", "live."}) {
        expect(std::string(prefix) + std::string(model::to_text(phase)));
      }
    }
    for (std::size_t i = 0; i < model::kOtherPartCount; ++i) {
      expect("other." + std::string(model::to_text(static_cast<model::OtherPart>(i))));
    }
    for (const std::string_view limit : diagnosis::kNextLimits) {
      expect("limit." + std::string(limit));
    }
    for (const std::string_view part : {"compute", "evaluation", "checkpoint"}) {
      expect("part." + std::string(part));
    }
    for (const std::string_view verdict : {"healthy", "no-steps", "cannot-tell"}) {
      expect("rule." + std::string(verdict));
    }
    // A rule's id is the start of its messages' ids, with '-' for '_'.
    for (const diagnosis::MessageSpec& spec : diagnosis::kMessages) {
      std::string rule(spec.id.substr(0, spec.id.find('.')));
      constexpr std::array<std::string_view, 6> kNoRules{"verdict",    "interval", "compare",
                                                         "contention", "gain",     "hot_function"};
      if (std::ranges::find(kNoRules, rule) != kNoRules.end()) continue;
      std::ranges::replace(rule, '_', '-');
      expect("rule." + rule);
    }
  }
}

TEST(Catalogue, FillsTemplates) {
  const Catalogue english(Language::kEnglish);
  struct Case {
    std::string_view name;
    model::Message message;
    std::string_view want;
  };
  const std::vector<Case> cases{
      {"plural", {"title.ranks", Params{}.set("ranks", std::int64_t{4})}, "4 ranks"},
      {"singular", {"title.ranks", Params{}.set("ranks", std::int64_t{1})}, "1 rank"},
      {"optional present",
       {"end.place", Params{}.set("file", "train.py").set("line", std::int64_t{1088})},
       "at train.py:1088"},
      {"optional line 0",
       {"end.place", Params{}.set("file", "train.py").set("line", std::int64_t{0})},
       "at train.py"},
      {"word by parameter", {"end.phase", Params{}.set("phase", "data_wait")}, "in data wait"},
      {"unknown word stays", {"end.phase", Params{}.set("phase", "later")}, "in later"},
      {"values are not templates",
       {"end.zone", Params{}.set("zone", "{line}[[x]]")},
       "inside zone “{line}[[x]]”"},
      {"unknown id",
       {"new.message", Params{}.set("n", std::int64_t{3}).set("file", "a.py")},
       "new.message n=3 file=a.py"},
      {"missing parameter", {"end.zone", {}}, "inside zone “?”"},
  };
  for (const Case& c : cases) EXPECT_EQ(english.say(c.message), c.want) << c.name;
}

TEST(Catalogue, ShowsFilesRelativeToTheFolderOfTheRun) {
  const Catalogue catalogue(Language::kEnglish, "/home/ana/vision");
  EXPECT_EQ(catalogue.place("/home/ana/vision/src/train.py", 88), "src/train.py:88");
  EXPECT_EQ(catalogue.place("/home/ana/vision2/train.py", 0), "/home/ana/vision2/train.py");
  EXPECT_EQ(catalogue.place("", 5), "");
  EXPECT_EQ(catalogue.say("end.place", {{"file", "/home/ana/vision/train.py"}, {"line", 61}}),
            "at train.py:61");
}

TEST(Catalogue, FillsNestedChoices) {
  const Catalogue italian(Language::kItalian);
  const auto say = [&](std::int64_t workers) {
    return italian.say("input_bound.workers_busy", {{"wait_ratio", 0.5}, {"workers", workers}});
  };
  EXPECT_NE(say(1).find("Il suo unico worker lavora"), std::string::npos) << say(1);
  EXPECT_NE(say(3).find("I suoi 3 worker lavorano"), std::string::npos) << say(3);
}

}  // namespace
}  // namespace latido::report
